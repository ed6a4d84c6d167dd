import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSignalBacklog } from '../../../electron/console/event-streams.ts';
import type { AgentSignal } from '../../../shared/ipc/events.ts';

const changed = (version: number, incidentIds?: readonly string[]): AgentSignal => ({
  kind: 'changed',
  subject: 'uploads',
  version,
  ...(incidentIds && { incidentIds }),
});
const progress = (bytesDone: number): AgentSignal => ({
  kind: 'progress',
  bytesPerSecond: 1,
  bytesTotal: 100,
  bytesDone,
  clips: [],
});
const notice = (message: string): AgentSignal => ({
  kind: 'notice',
  level: 'info',
  code: 'INCIDENT_SENT',
  message,
});

function tell(...signals: readonly AgentSignal[]): readonly AgentSignal[] {
  const backlog = createSignalBacklog();
  for (const signal of signals) backlog.add(signal);
  return backlog.takeAll();
}

describe('createSignalBacklog', () => {
  it('passes a single signal on as it is, once', () => {
    const backlog = createSignalBacklog();
    for (const signal of [changed(1), changed(2, ['a']), progress(1), notice('sent')]) {
      backlog.add(signal);
      expect(backlog.takeAll()).toEqual([signal]);
      expect(backlog.takeAll()).toEqual([]);
    }
  });

  it('makes one change of several of a subject, with the newest version and all that changed', () => {
    expect(tell(changed(3, ['a', 'b']), changed(5, ['b', 'c']), changed(4, ['d']))).toEqual([
      changed(5, ['a', 'b', 'c', 'd']),
    ]);
  });

  it('keeps subjects apart', () => {
    const health: AgentSignal = { kind: 'changed', subject: 'health', version: 9 };
    expect(tell(changed(1), health, changed(2))).toEqual([changed(2), health]);
  });

  it.each([
    [changed(1), changed(2, ['a'])],
    [changed(1, ['a']), changed(2)],
  ])('says that anything may have changed when one of them says so', (one, other) => {
    expect(tell(one, other)).toEqual([changed(2)]);
  });

  it('says that anything may have changed rather than name more than 200', () => {
    const ids = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
    expect(tell(changed(1, ids(150, 'a')), changed(2, ids(50, 'b')))).toEqual([
      changed(2, [...ids(150, 'a'), ...ids(50, 'b')]),
    ]);
    expect(tell(changed(1, ids(150, 'a')), changed(2, ids(51, 'b')))).toEqual([changed(2)]);
  });

  it('keeps only the last progress, and tells it after what matters more', () => {
    expect(tell(progress(1), progress(2), notice('sent'), changed(1), progress(3))).toEqual([
      changed(1),
      notice('sent'),
      progress(3),
    ]);
  });

  it('keeps the newest hundred notices', () => {
    const told = tell(...Array.from({ length: 250 }, (_, at) => notice(String(at))));
    expect(told).toEqual(Array.from({ length: 100 }, (_, at) => notice(String(at + 150))));
  });

  it('is bounded whatever comes', () => {
    const signal = fc.oneof(
      fc.nat(1_000_000).map((id) => changed(1 + id, [`incident ${id}`])),
      fc.nat(9).map(progress),
      fc.nat(9).map((text) => notice(String(text))),
    );
    fc.assert(
      fc.property(fc.array(signal, { minLength: 300, maxLength: 2000 }), (signals) => {
        const told = tell(...signals);
        expect(told.length).toBeLessThanOrEqual(102);
        expect(JSON.stringify(told).length).toBeLessThan(20_000);
      }),
      { numRuns: 30 },
    );
  });
});

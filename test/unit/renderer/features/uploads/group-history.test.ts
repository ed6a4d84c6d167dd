import { describe, expect, it } from 'vitest';
import { groupHistory } from '../../../../../renderer/features/uploads/group-history.ts';
import type { HistoryEvent, HistoryFacts } from '../../../../../shared/domain/upload-history.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 4, 2, 18, 0, second)).toISOString();
let sequence = 0;
const event = (second: number, facts: HistoryFacts, began?: number): HistoryEvent => {
  sequence += 1;
  return { sequence, at: at(second), facts, ...(began === undefined ? {} : { startedAt: at(began) }) };
};
const failed = (second: number, began: number) => event(second, { kind: 'tried', end: 'failed' }, began);

describe('the time line of a clip', () => {
  it('numbers its tries, says how long each took and how long nothing happened before it, newest first', () => {
    const events = [event(0, { kind: 'queued' }), failed(14, 2), event(50, { kind: 'uploaded' }, 44)];
    const { items, tries } = groupHistory({ events });
    expect(tries).toBe(2);
    expect(items).toMatchObject([
      { kind: 'try', number: 2, end: 'sent', tookMs: 6_000, sinceLastMs: 30_000 },
      { kind: 'try', number: 1, end: 'failed', tookMs: 12_000, sinceLastMs: 2_000 },
      { kind: 'event', tookMs: undefined, sinceLastMs: undefined },
    ]);
  });

  it('puts what was opened and acknowledged into its try', () => {
    const opened = event(3, { kind: 'opened', uploadId: 'u', storageKey: 'k', parts: 2 });
    const part = event(4, { kind: 'parts', first: 1, last: 1, count: 1, sizeBytes: 5 });
    const rest = event(9, { kind: 'parts', first: 2, last: 2, count: 1, sizeBytes: 5 });
    const { items } = groupHistory({ events: [opened, part, failed(5, 2), rest], runningSince: at(8) });
    expect(items).toMatchObject([
      { kind: 'try', end: 'running', number: 2, steps: [rest], event: undefined },
      { kind: 'try', end: 'failed', number: 1, steps: [opened, part] },
    ]);
  });

  it('counts the tries that were merged', () => {
    const merged = event(60, { kind: 'merged', from: 2, tries: 40 }, 1);
    const { items, tries } = groupHistory({ events: [merged, failed(70, 65)] });
    expect(tries).toBe(41);
    expect(items[0]).toMatchObject({ kind: 'try', number: 41 });
  });

  it('shows no time below zero when the clock was set back', () => {
    const { items } = groupHistory({ events: [event(30, { kind: 'queued' }), failed(10, 20)] });
    expect(items[0]).toMatchObject({ tookMs: 0, sinceLastMs: 0 });
  });

  it('shows parts of a try of which nothing else is known', () => {
    const part = event(4, { kind: 'parts', first: 1, last: 1, count: 1, sizeBytes: 5 });
    expect(groupHistory({ events: [part] }).items).toMatchObject([{ kind: 'event', event: part }]);
  });
});

import { describe, expect, it } from 'vitest';
import { agentSignalSchema } from '../../../../shared/ipc/events.ts';
import type { AgentEvent } from '../../../../electron/agent/events.ts';
import { createNotices } from '../../../../electron/agent/calls/signals.ts';

const synced = (incidentId: string, uploaded: number, failed: number, pending: number): AgentEvent => ({
  event: 'incident.synced',
  incidentId,
  title: 'Gate\u202e 4',
  uploaded,
  failed,
  pending,
});

const clipFailed = (code: 'FILE_GONE' | 'CANCELLED'): AgentEvent => ({
  event: 'clip.failed',
  incidentId: 'i',
  clipId: 'c',
  file: 'a.mp4',
  code,
  message: 'a\u202eb is gone.',
  advice: 'Put it back.',
});

describe('a notice', () => {
  it.each<[string, AgentEvent, string | undefined]>([
    ['an incident that is whole', synced('i', 3, 0, 0), 'info INCIDENT_SENT Gate<U+202E> 4: 3 clips sent.'],
    ['one clip', synced('i', 1, 0, 0), 'info INCIDENT_SENT Gate<U+202E> 4: 1 clip sent.'],
    [
      'an incident with failed clips',
      synced('i', 2, 1, 0),
      'warning INCIDENT_SENT Gate<U+202E> 4: 2 clips sent, 1 failed.',
    ],
    [
      'an incident that failed',
      synced('i', 0, 2, 0),
      'warning INCIDENT_SENT Gate<U+202E> 4: 2 clips failed.',
    ],
    ['an incident that has clips to come', synced('i', 3, 0, 1), undefined],
    ['an incident without clips', synced('i', 0, 0, 0), undefined],
    [
      'a clip that failed',
      clipFailed('FILE_GONE'),
      'failure FILE_GONE a<U+202E>b is gone. (a.mp4) Put it back.',
    ],
    ['a clip that a person cancelled', clipFailed('CANCELLED'), undefined],
    [
      'a file that is held',
      {
        event: 'file.held',
        folder: 'f',
        file: 'x',
        code: 'FILE_EMPTY',
        message: 'Empty file: x.',
        advice: 'Export it again.',
      },
      'warning FILE_EMPTY f: Empty file: x. Export it again.',
    ],
    [
      'a side that cannot be used',
      {
        event: 'circuit.paused',
        circuit: 'service',
        code: 'KEY_REFUSED',
        message: 'No.',
        advice: '',
        delayMs: 1,
      },
      'warning KEY_REFUSED No.',
    ],
    [
      'a folder that is gone',
      {
        event: 'root.offline',
        root: 'r',
        code: 'ROOT_OFFLINE',
        message: 'r is offline.',
        advice: 'Connect it.',
      },
      'warning ROOT_OFFLINE r is offline. Connect it.',
    ],
    [
      'a clock that is off',
      { event: 'warning', code: 'CLOCK_SKEW', message: 'Set the clock.' },
      'warning CLOCK_SKEW Set the clock.',
    ],
    ['a folder that is back', { event: 'root.online', root: 'r' }, undefined],
    ['a side that is back', { event: 'circuit.resumed', circuit: 'service' }, undefined],
  ])('of %s', (_, event, text) => {
    const notice = createNotices().of(event);
    if (notice !== undefined) expect(agentSignalSchema.parse(notice)).toEqual(notice);
    expect(notice && `${notice.level} ${notice.code} ${notice.message}`).toBe(text);
  });

  it('of an incident comes once, and again when more clips have come', () => {
    const notices = createNotices();
    const levels = [
      synced('i', 1, 0, 0),
      synced('i', 1, 0, 0),
      synced('i', 1, 0, 1),
      synced('i', 2, 0, 0),
    ].map((event) => notices.of(event)?.level);
    expect(levels).toEqual(['info', undefined, undefined, 'info']);
  });

  it('of an incident is remembered for a thousand of them and no more', () => {
    const notices = createNotices();
    for (let index = 0; index < 1000; index += 1) notices.of(synced(`i${index}`, 1, 0, 0));
    expect(notices.of(synced('i0', 1, 0, 0))).toBeUndefined();
    notices.of(synced('one more', 1, 0, 0));
    expect(notices.of(synced('i0', 1, 0, 0))).toMatchObject({ code: 'INCIDENT_SENT' });
    expect(notices.of(synced('i500', 1, 0, 0))).toBeUndefined();
  });
});

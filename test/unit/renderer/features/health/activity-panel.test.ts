import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../../../../shared/ipc/calls/health.ts';
import { tellActivity, withWords } from '../../../../../renderer/features/health/activity-panel.tsx';
import { createI18n } from '../../../../../renderer/i18n/create-i18n.ts';

const { t } = await createI18n('en');

/** The sentences for rows of the chain, which are given oldest first and shown newest first. */
function told(...rows: readonly Partial<ActivityEntry>[]): readonly string[] {
  const entries: ActivityEntry[] = [];
  for (const [index, row] of rows.entries())
    entries.unshift({
      sequence: index + 1,
      at: '2026-05-02T18:42:00.000Z',
      account: 'desk',
      action: '',
      detail: '{}',
      hash: '',
      ...row,
    });
  const lines = tellActivity(entries, t);
  return lines.map(({ text, level }) => `${level}: ${text}`);
}

const gate = { incidentId: 'i1', title: 'Gate 4' };

describe('the activity of a desk', () => {
  it('says what happened to which export, newest first, with equal rows of one incident as one', () => {
    expect(
      told(
        { action: 'incident.found', ...gate },
        { action: 'clip.found', ...gate, file: 'a.mp4' },
        { action: 'clip.found', ...gate, file: 'b.mp4' },
        { action: 'clip.sent', ...gate, file: 'a.mp4' },
        { action: 'clip.sent', incidentId: 'i2', title: 'Tunnel', file: 'c.mp4' },
        { action: 'clip.failed', ...gate, file: 'b.mp4', code: 'FILE_GONE', reason: 'The file is gone.' },
        { action: 'record.written', ...gate },
      ),
    ).toEqual([
      'info: "Gate 4" was synced.',
      'error: b.mp4 in "Gate 4" failed: The file is gone.',
      'info: c.mp4 in "Tunnel" was sent.',
      'info: a.mp4 in "Gate 4" was sent.',
      'info: 2 clips in "Gate 4" were queued.',
      'info: "Gate 4" arrived.',
    ]);
  });

  it('tells failures of different kinds apart, by their code where the reason is gone', () => {
    const failed = { action: 'clip.failed', ...gate, file: 'b.mp4' };
    expect(told({ ...failed, code: 'FILE_GONE' }, { ...failed, code: 'FILE_TOO_LARGE' })).toEqual([
      'error: b.mp4 in "Gate 4" failed: FILE_TOO_LARGE',
      'error: b.mp4 in "Gate 4" failed: FILE_GONE',
    ]);
  });

  it('tells commands once they were carried out, and what they were about', () => {
    expect(
      told(
        { action: 'uploads.pause', state: 'asked' },
        { action: 'uploads.pause', state: 'done' },
        { action: 'uploads.retry', state: 'refused', named: 2 },
        { action: 'uploads.retry', state: 'done', named: 2 },
        { action: 'uploads.cancel', state: 'done', ...gate },
        { action: 'uploads.retry', state: 'done' },
      ),
    ).toEqual([
      'info: Retried: all failed uploads.',
      'info: Cancelled: "Gate 4".',
      'info: Retried: 2 items.',
      'warn: Paused: all uploads.',
    ]);
  });

  it('leaves to the audit view what is no news, and shows marks in names', () => {
    expect(told({ action: 'chain.anchored' }, { action: 'clip.described', ...gate })).toEqual([]);
    expect(told({ action: 'incident.found', title: 'a\u202Eb' })).toEqual(['info: "a<U+202E>b" arrived.']);
  });

  it('is narrowed by words in any order', () => {
    expect(withWords(['Gate 4 sent', 'Tunnel sent'], ' SENT gate', (line) => line)).toEqual(['Gate 4 sent']);
  });
});

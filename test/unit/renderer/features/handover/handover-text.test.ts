import { describe, expect, it } from 'vitest';
import type { Handover } from '../../../../../shared/ipc/calls/uploads.ts';
import { handoverText } from '../../../../../renderer/features/handover/handover-text.ts';
import { createI18n } from '../../../../../renderer/i18n/create-i18n.ts';

const { t } = await createI18n('en');
const as = { display: 'utc', locale: 'en-GB' } as const;
const quiet: Handover = {
  since: '2026-05-02T10:00:00.000Z',
  at: '2026-05-02T18:00:00.000Z',
  arrived: { incidents: 0, rows: [] },
  sent: { clips: 0, bytes: 0 },
  failed: { clips: 0, records: 0, leftOut: 0, rows: [] },
  waiting: { clips: 0, bytes: 0, incidents: 0, rows: [] },
  exports: { total: 0, rows: [] },
};

describe('a handover as a text', () => {
  it('says of a quiet shift that nothing is open', () => {
    const text = handoverText(quiet, t, as);
    expect(text).toContain('Since: 2 May 2026, 10:00:00 UTC');
    for (const line of [
      'Sent: none',
      'Failed: none',
      'No unresolved failures.',
      'Every export is fully queued.',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text.split(/\W/), 'a count of zero is not said').not.toContain('0');
  });

  it('names what came in, what failed and why, and what waits', () => {
    const incident = {
      id: 'i1',
      title: 'Gate 4',
      folder: '/exports/Gate 4',
      state: 'waiting',
      createdAt: '2026-05-02T17:00:00.000Z',
      uploaded: 1,
      failed: 0,
      leftOut: 0,
      pending: 2,
      sizeBytes: 5,
    } as const;
    const failure = {
      code: 'FILE_GONE',
      message: 'The file is gone.',
      advice: 'Export it again.',
      retryable: false,
    } as const;
    const text = handoverText(
      {
        ...quiet,
        arrived: { incidents: 1, rows: [incident] },
        sent: { clips: 3, bytes: 2_000_000 },
        failed: {
          clips: 1,
          records: 1,
          leftOut: 2,
          rows: [
            {
              incidentId: 'i2',
              title: 'Tunnel',
              file: 'a.mp4',
              failure,
              failedAt: '2026-05-02T17:30:00.000Z',
            },
            { incidentId: 'i3', title: 'Stand' },
          ],
        },
        waiting: { clips: 2, bytes: 1, incidents: 1, rows: [incident] },
      },
      t,
      as,
    );
    expect(text).toContain('Sent: 3 clips · 2.0 MB');
    expect(text).toContain('Failed: 1 clip · 1 incident refused by the service · 2 left out');
    expect(text).toContain(
      '- Tunnel · a.mp4 · The file is gone. Export it again. · 2 May 2026, 17:30:00 UTC',
    );
    expect(text).toContain('- Stand · The incident itself');
    expect(text.match(/- Gate 4 · Waiting · Clips sent: 1 of 3/g)).toHaveLength(2);
    expect(text, 'nothing is left out in silence').not.toContain('more');
  });

  it('says how many more there are than it names, and what to do about an export', () => {
    const held = {
      id: 'root/export',
      name: 'Gate 9',
      folder: '/exports/Gate 9',
      state: 'held',
      since: '2026-05-02T17:00:00.000Z',
      facts: { files: 1, sizeBytes: 1, concerned: 1, named: [] },
      message: 'Held back.',
      advice: 'Check the files.',
    } as const;
    const text = handoverText({ ...quiet, exports: { total: 51, rows: [held] } }, t, as);
    expect(text).toContain('- Gate 9 · Held back · Held back. Check the files.\n- and 50 more\n');
  });
});

import { expect, test } from 'vitest';
import { err, ok } from '../../../../shared/lib/result.ts';
import type { ClipView, IncidentView } from '../../../../electron/agent/calls/read-status.ts';
import type { SeenExport } from '../../../../shared/domain/seen-export.ts';
import { status } from '../../../../electron/cli/commands/status.ts';
import { createFakeAgent, createFakeDeps, failure } from '../fake-deps.ts';

const clip: ClipView = {
  id: 'c1',
  file: 'cam1.mp4',
  state: 'uploaded',
  sizeBytes: 1_200_000,
  flags: [],
  attempts: 1,
  camera: 'Gate 4',
};
const incident: IncidentView = {
  id: 'i1',
  title: 'Pitch\u202einvasion',
  folder: '/exports/a',
  state: 'attention',
  incidentAt: '2026-05-01T19:30:05.000Z',
  uploaded: 1,
  failed: 1,
  leftOut: 0,
  pending: 1,
  clips: [
    clip,
    {
      ...clip,
      id: 'c2',
      file: 'cam2\n.mp4',
      state: 'failed',
      code: 'FILE_TOO_LARGE',
      message: 'Too large.',
      advice: 'Cut it.',
      flags: [],
      attempts: 3,
    },
    {
      id: 'c3',
      file: 'cam3.mp4',
      state: 'uploading',
      sizeBytes: 3e8,
      bytesSent: 1e8,
      flags: [],
      attempts: 1,
    },
  ],
};
/** The lines that the command writes for these incidents, without column padding. */
async function linesOf(incidents: readonly IncidentView[]): Promise<readonly string[]> {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const readStatus = () => Promise.resolve(ok({ incidents }));
  expect(await status.run({ summary: false, json: false }, { ...deps, readStatus })).toBe(0);
  return written.stdout.split('\n').map((line) => line.replaceAll(/(?<=\S) {2,}/g, '  '));
}

test('shows incidents, clips, states, sizes and reasons', async () => {
  expect(await linesOf([incident])).toEqual([
    '✕ Needs attention  "Pitch<U+202E>invasion"  2026-05-01T19:30:05.000Z  1 sent, 1 failed, 1 waiting',
    '  i1  /exports/a',
    '  STATE  FILE  SIZE  CAMERA  ID  REASON',
    '  ✓ Sent  cam1.mp4  1.2 MB  Gate 4  c1',
    '  ✕ Failed  cam2␊.mp4  1.2 MB  Gate 4  c2  FILE_TOO_LARGE: Too large. Cut it. (3 attempts)',
    '  ▲ Uploading  cam3.mp4  100.0 MB of 300.0 MB  c3',
    '',
    '1 incident, 1 clip sent, 1 failed, 1 waiting, 302.4 MB in total.',
    '',
  ]);
});

test('says why an incident is not in the service', async () => {
  const reason = { code: 'VALIDATION', message: 'Refused.', advice: 'Correct it.' };
  expect(await linesOf([{ ...incident, ...reason }])).toContain('  VALIDATION: Refused. Correct it.');
});

test('says of an incident that goes first for its deadline when its files are expected to be gone', async () => {
  const lines = await linesOf([{ ...incident, goneAt: '2026-05-08T19:30:05.000Z' }]);
  expect(lines).toContain(
    '  Goes first because its files are expected to be deleted from their folder at 2026-05-08T19:30:05.000Z.',
  );
});

test('says so when there is nothing', async () => {
  expect(await linesOf([])).toEqual(['No incidents.', '']);
});

test('reads the data directory that was named, and writes a list with --json', async () => {
  const { deps, written, folder } = await createFakeDeps(createFakeAgent().agent);
  const asked: string[] = [];
  const readStatus = (dataDir: string) => {
    asked.push(dataDir);
    return Promise.resolve(ok({ incidents: [incident] }));
  };
  expect(await status.run({ summary: false, json: true, dataDir: 'd' }, { ...deps, readStatus })).toBe(0);
  expect(JSON.parse(written.stdout)).toEqual([incident]);
  expect(written.stdout, 'harmless on a terminal').not.toContain('\u202e');
  expect(asked).toEqual([`${folder}/d`]);
});

test('says why the queue cannot be read', async () => {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const readStatus = () => Promise.resolve(err(failure('DB_BROKEN')));
  expect(await status.run({ summary: false, json: true }, { ...deps, readStatus })).toBe(1);
  expect(written).toEqual({ stdout: '', stderr: 'DB_BROKEN: DB_BROKEN happened. Do something.\n' });
});

test('shows exports that are not in the queue, what of an incident is missing, and what to do', async () => {
  const seen: SeenExport = {
    id: 'root-1/Ramp',
    name: 'Ramp\u202e',
    folder: '/exports/Ramp',
    state: 'held',
    since: '2026-05-01T19:30:05.000Z',
    facts: {
      files: 3,
      sizeBytes: 9,
      concerned: 30,
      named: [{ path: 'a.mp4' }, { path: 'b.mp4', failure: failure('FILE_EMPTY') }],
    },
    message: 'Empty file: a.mp4.',
    advice: 'Export it again.',
  };
  const none = { uploaded: 0, failed: 0, leftOut: 0, pending: 0, clips: [] };
  const settling = {
    ...seen,
    id: 'root-1/B',
    name: 'B',
    state: 'settling',
    settlesAt: '2026-05-01T19:31:00.000Z',
  } as const;
  const lines = await linesOf([
    { id: seen.id, title: seen.name, folder: seen.folder, state: 'held', ...none, export: seen },
    { id: 'root-1/B', title: 'B', folder: '/exports/B', state: 'settling', ...none, export: settling },
    { ...incident, state: 'synced', clips: [clip], failed: 0, pending: 0, export: seen },
  ]);
  expect(lines).toEqual([
    '! Held back  "Ramp<U+202E>"  since 2026-05-01T19:30:05.000Z',
    '  /exports/Ramp',
    '  Empty file: a.mp4. Export it again.',
    `    ${failure('FILE_EMPTY').message}`,
    '    and 28 more',
    '',
    '○ Settling  "B"  since 2026-05-01T19:30:05.000Z, until 2026-05-01T19:31:00.000Z',
    '  /exports/Ramp',
    '  Empty file: a.mp4. Export it again.',
    '',
    '✓ Sent  "Pitch<U+202E>invasion"  2026-05-01T19:30:05.000Z  1 sent, 0 failed, 0 waiting',
    '  i1  /exports/a',
    '  STATE  FILE  SIZE  CAMERA  ID  REASON',
    '  ✓ Sent  cam1.mp4  1.2 MB  Gate 4  c1',
    '  ! Held back  since 2026-05-01T19:30:05.000Z',
    '  Empty file: a.mp4. Export it again.',
    `    ${failure('FILE_EMPTY').message}`,
    '    and 28 more',
    '',
    '1 incident, 1 clip sent, 0 failed, 0 waiting, 1.2 MB in total. 2 exports held back, with files missing, or not recognised.',
    '',
  ]);
});

test('says what else is in the folder of an incident, and names what nobody recognised', async () => {
  const counts = {
    clip: 1,
    companion: 2,
    picture: 1,
    copy: 0,
    sidecar: 0,
    program: 1,
    system: 0,
    waiting: 0,
    unknown: 1,
  };
  const named = [{ path: 'what.xyz', class: 'unknown' as const, why: '"what.xyz" is no known kind.' }];
  const lines = await linesOf([{ ...incident, clips: [], files: { counts, named } }]);
  expect(lines.slice(2, 4)).toEqual([
    '  Not sent: 1 file not recognised, 1 program, 2 companions',
    '    "what.xyz" is no known kind.',
  ]);
});

test('the summary is figures and times alone, as text and as JSON', async () => {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const summary = {
    isRunning: true,
    isPaused: true,
    waiting: { clips: 12, paused: 5, bytes: 3_400_000, since },
    failed: [{ code: 'FILE_TOO_LARGE', clips: 2, since }],
    refused: 1,
    exports: { count: 3 },
  };
  const readSummary = () => Promise.resolve(ok(summary));
  expect(await status.run({ summary: true, json: false }, { ...deps, readSummary })).toBe(0);
  expect(written.stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | ').trim())).toEqual([
    'DESK',
    'Agent | running, uploads paused',
    `Waiting | 12 clips (5 paused), 3.4 MB, since ${since} (1 h 00 min)`,
    'Failed | 2 clips',
    `| FILE_TOO_LARGE: 2 clips, since ${since} (1 h 00 min)`,
    'Refused | 1 incident',
    'Not queued | 3 exports held back, with files missing, or not recognised',
    'Last sent | never',
    '',
  ]);
  const sent = () => Promise.resolve(ok({ ...summary, lastSentAt: since }));
  expect(await status.run({ summary: true, json: false }, { ...deps, readSummary: sent })).toBe(0);
  expect(written.stdout).toContain(`${since} (1 h 00 min ago)`);
  written.stdout = '';
  expect(await status.run({ summary: true, json: true }, { ...deps, readSummary })).toBe(0);
  expect(JSON.parse(written.stdout)).toEqual(summary);
});

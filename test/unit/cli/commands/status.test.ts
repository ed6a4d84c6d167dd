import { expect, test } from 'vitest';
import { err, ok } from '../../../../shared/lib/result.ts';
import type { ClipView, IncidentView } from '../../../../electron/agent/views/read-status.ts';
import type { StatusView } from '../../../../electron/cli/needs.ts';
import { statusCommand, statusLines } from '../../../../electron/cli/commands/status.ts';
import { createFakeAgent, createFakeHost, failure } from '../fake-deps.ts';

const clip: ClipView = {
  id: 'c1',
  file: 'cam1.mp4',
  state: 'uploaded',
  sizeBytes: 1_200_000,
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
      attempts: 3,
    },
    { id: 'c3', file: 'cam3.mp4', state: 'uploading', sizeBytes: 3e8, bytesSent: 1e8, attempts: 1 },
  ],
};
const view: StatusView = {
  incidents: [incident],
  lanes: [{ lane: 'api', code: 'KEY_REFUSED', message: 'The key was refused.', advice: 'Replace it.' }],
};

test('shows incidents, clips, states, sizes, reasons and paused lanes', () => {
  const lines = statusLines(view).map((line) => line.replaceAll(/(?<=\S) {2,}/g, '  '));
  expect(lines).toEqual([
    '‖ Paused  KEY_REFUSED: The key was refused. Replace it.',
    '✕ Attention  "Pitch<U+202E>invasion"  2026-05-01T19:30:05.000Z  1 sent, 1 failed, 1 waiting',
    '  i1  /exports/a',
    '  STATE  FILE  SIZE  CAMERA  ID  REASON',
    '  ✓ Sent  cam1.mp4  1.2 MB  Gate 4  c1',
    '  ✕ Failed  cam2␊.mp4  1.2 MB  Gate 4  c2  FILE_TOO_LARGE: Too large. Cut it. (3 tries)',
    '  ▲ Uploading  cam3.mp4  100.0 MB of 300.0 MB  c3',
    '',
    '1 incidents, 1 clips sent, 1 failed, 1 waiting, 302.4 MB in all.',
  ]);
});

test('says so when there is nothing', () => {
  expect(statusLines({ incidents: [], lanes: [] })).toEqual(['No incidents yet.']);
});

test('reads the data directory that was named, and writes a list with --json', async () => {
  const { host, written, folder } = await createFakeHost(createFakeAgent().agent);
  const asked: string[] = [];
  const readStatus = (dataDir: string) => {
    asked.push(dataDir);
    return Promise.resolve(ok(view));
  };
  expect(await statusCommand({ kind: 'status', json: true, dataDir: 'd' }, host, { readStatus })).toBe(0);
  expect(JSON.parse(written.stdout)).toEqual([incident]);
  expect(written.stdout, 'harmless on a terminal').not.toContain('\u202e');
  expect(asked).toEqual([`${folder}/d`]);
});

test('says why the queue cannot be read', async () => {
  const { host, written } = await createFakeHost(createFakeAgent().agent);
  const readStatus = () => Promise.resolve(err(failure('DB_BROKEN')));
  expect(await statusCommand({ kind: 'status', json: true }, host, { readStatus })).toBe(1);
  expect(written).toEqual({ stdout: '', stderr: 'DB_BROKEN: DB_BROKEN happened. Do something.\n' });
});

import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadDeskId } from '../../../../electron/agent/store/desk-id.ts';
import { clipIdOf, incidentIdOf, rootIdOf } from '../../../../electron/agent/core/records/derived-ids.ts';
import { deskId } from '../../../../shared/domain/ids.ts';
import { makeUnsyncedFolder } from '../../../helpers/unsynced-folder.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DESK = deskId('0d5f0a54-6d0e-4a3c-9a6f-1f2d7c110a3b');

let dir = '';
beforeEach(async () => {
  dir = await makeUnsyncedFolder('desk-');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('loadDeskId', () => {
  it('makes an id once and finds it again, for this account only', async () => {
    const first = await loadDeskId(dir);
    expect(first).toMatch(UUID);
    expect(await loadDeskId(dir)).toBe(first);
    expect(await readdir(dir)).toEqual(['desk.json']);
    expect((await stat(join(dir, 'desk.json'))).mode & 0o077).toBe(0);
  });

  it('makes another one for another desk', async () => {
    const first = await loadDeskId(dir);
    await rm(join(dir, 'desk.json'));
    expect(await loadDeskId(dir)).not.toBe(first);
  });

  it('goes on when it was killed before it had finished the file', async () => {
    await writeFile(join(dir, 'desk.json.new'), '{"deskId": "0d5');
    expect(await loadDeskId(dir)).toMatch(UUID);
  });

  it.each([
    ['is empty', ''],
    ['was cut off', '{"deskId": "0d5f0a54-6d0e-4a3c'],
    ['is not JSON', 'hello'],
    ['names no id', '{}'],
    ['names something else', '{"deskId": "desk 4"}'],
    ['is nothing but zeroes after a power cut', '\0'.repeat(58)],
  ])('refuses to go on when the file %s, and leaves it as it is', async (_what, text) => {
    await writeFile(join(dir, 'desk.json'), text);
    await expect(loadDeskId(dir)).rejects.toMatchObject({
      failure: { code: 'DATA_FOLDER', retryable: false },
    });
    expect(await readFile(join(dir, 'desk.json'), 'utf8')).toBe(text);
  });

  it('refuses to go on when the file cannot be read', async () => {
    await expect(loadDeskId(join(dir, 'missing', 'deeper'))).rejects.toThrow();
  });
});

describe('ids', () => {
  const root = rootIdOf(DESK, '/exports');
  const incident = incidentIdOf(DESK, root, 'Gate 4', 1_777_660_200_000);

  it('never change: these were given in the field', () => {
    expect([root, incident, clipIdOf(incident, 'a.mp4', 1), clipIdOf(incident, 'a.mp4', 2)])
      .toMatchInlineSnapshot(`
      [
        "bb039fc3-0e24-5788-b961-518db2a48132",
        "d0461147-9266-5eea-8d6e-3d17f17293f3",
        "25e293d5-f9fb-51cb-8f14-17c3a4583282",
        "8d4a5c20-47d1-5887-bd79-6819e5d267d7",
      ]
    `);
  });

  it('are UUIDs', () => {
    for (const id of [root, incident, clipIdOf(incident, 'sub/ä.mp4', 3)]) expect(id).toMatch(UUID);
  });

  it.each([
    ['desk', incidentIdOf(deskId('1d5f0a54-6d0e-4a3c-9a6f-1f2d7c110a3b'), root, 'Gate 4', 1_777_660_200_000)],
    ['root', incidentIdOf(DESK, rootIdOf(DESK, '/exports2'), 'Gate 4', 1_777_660_200_000)],
    ['folder', incidentIdOf(DESK, root, 'Gate 5', 1_777_660_200_000)],
    [
      'birth, so that a re-used folder name is a new incident',
      incidentIdOf(DESK, root, 'Gate 4', 1_777_660_200_001),
    ],
  ])('differ with the %s', (_what, other) => {
    expect(other).not.toBe(incident);
  });

  it('of clips differ with incident, path and generation', () => {
    const ids = [
      clipIdOf(incident, 'a.mp4', 1),
      clipIdOf(incident, 'b.mp4', 1),
      clipIdOf(incident, 'a.mp4', 2),
      clipIdOf(root, 'a.mp4', 1),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

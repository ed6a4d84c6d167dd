import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExportSnapshot, SettledFile } from '../../../../electron/agent/core/settle/file-seen.ts';
import { createListedTake } from '../../../../electron/agent/intake/check-lists.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { createGateInHand, type GateInHand } from '../../../helpers/gate-in-hand.ts';

const going = new AbortController().signal;
const rules = { watch: { profile: 'auto', clockOffsetSeconds: 0, timeZone: 'UTC' } };
const sum = 'a'.repeat(64);

let root = '';
let gate: GateInHand;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'check-lists-'));
  gate = createGateInHand(root);
});
afterEach(async () => {
  gate.close();
  await rm(root, { recursive: true, force: true });
});

/** An export of this many clips that its list names, along with other names. Only the list is on the disk. */
async function listedExport(
  name: string,
  clips: number,
  besides: readonly string[] = [],
): Promise<ExportSnapshot> {
  const paths = Array.from({ length: clips }, (_, index) => `${index}.avi`);
  await mkdir(join(root, name));
  const list = join(root, name, 'SHA256SUMS');
  await writeFile(list, [...paths, ...besides].map((path) => `${sum}  ${path}\n`).join(''));
  const { size, mtimeNs, ino, dev } = await stat(list, { bigint: true });
  const version = { mtimeNs: String(mtimeNs), inode: String(ino), device: String(dev) };
  const fileOf = (path: string, sizeBytes: number): SettledFile => ({
    path,
    kind: 'file',
    sizeBytes,
    links: 1,
    ...version,
  });
  const settled = [...paths.map((path) => fileOf(path, 1_000)), fileOf('SHA256SUMS', Number(size))];
  const ref = { rootId: 'root-1', rootPath: root, exportPath: name, birthMs: 1, mtimeMs: 1 };
  return { ref, settled, unsettledCount: 0, heldCount: 0, all: settled };
}

/** Takes in exports that are not in the queue yet, on a disk where one call hashes this many clips. */
function createDesk(clipsPerCall: number) {
  const taken: string[] = [];
  let nowMs = 0;
  let hashed = 0;
  const none = { byExport: () => undefined };
  const deps = {
    clock: { monotonic: () => nowMs },
    gates: { of: () => gate },
    listSums: async () => {
      nowMs += 10_000 / clipsPerCall;
      hashed += 1;
      return ok({ sha256: sum, md5: '', crc32: '' });
    },
    tables: { incidents: none, kept: none },
    events: { emit: () => undefined },
    warn: () => undefined,
  };
  const take = createListedTake(deps as never, async ({ ref }) => void taken.push(ref.exportPath));
  return {
    taken,
    hashed: () => hashed,
    /** Hands them over in turn, as the watch does, until all are accepted; at most `mostTurns` times. */
    async handOver(exports: readonly ExportSnapshot[], mostTurns: number): Promise<void> {
      let left = exports;
      for (let turn = 0; turn < mostTurns && left.length > 0; turn += 1) {
        const more: ExportSnapshot[] = [];
        for (const each of left) if ((await take(each, rules, going)) === 'more') more.push(each);
        left = more;
      }
    },
  };
}

it('an export of more than ten thousand listed clips is taken, and each clip is hashed once', async () => {
  const desk = createDesk(4_000);
  await desk.handOver([await listedExport('Large', 14_500)], 4);
  expect(desk.taken).toEqual(['Large']);
  expect(desk.hashed()).toBe(14_500);
});

it('exports that are hashed in turn do not make each other start over', async () => {
  const desk = createDesk(3_000);
  await desk.handOver([await listedExport('One', 8_000), await listedExport('Two', 8_000)], 3);
  expect(desk.taken).toEqual(['One', 'Two']);
  expect(desk.hashed()).toBe(16_000);
});

it('by-products of systems and players are not waited for, there or not', async () => {
  const desk = createDesk(1_000);
  const besides = ['.DS_Store', 'Thumbs.db', 'player/config.ini', '@eaDir/0.avi', '.cache/1.avi'];
  await desk.handOver([await listedExport('Fight', 1, besides)], 1);
  await desk.handOver([await listedExport('Flight', 1, ['player/config.xml'])], 1);
  expect(desk.taken).toEqual(['Fight']);
});

import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MediaFacts } from '../../../../electron/agent/core/naming/file-content.ts';
import type { SettledFile } from '../../../../electron/agent/core/settle/file-seen.ts';
import { readEvidence } from '../../../../electron/agent/intake/read-evidence.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { createGateInHand, type GateInHand } from '../../../helpers/gate-in-hand.ts';
import { sameNoise } from '../../../helpers/bench-files.ts';

let root = '';
let gate: GateInHand;
let probed: string[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'read-evidence-'));
  await mkdir(join(root, 'Gate 4'));
  gate = createGateInHand(root);
  probed = [];
});
afterEach(async () => {
  gate.close();
  await rm(root, { recursive: true, force: true });
});

async function settled(path: string, content: string | Buffer, facts?: MediaFacts): Promise<SettledFile> {
  const place = join(root, 'Gate 4', path);
  await writeFile(place, content);
  const { size, mtimeNs, ino, dev } = await stat(place, { bigint: true });
  const version = {
    sizeBytes: Number(size),
    mtimeNs: String(mtimeNs),
    inode: String(ino),
    device: String(dev),
  };
  return { path, kind: 'file', ...version, links: 1, ...(facts && { facts }) };
}

async function factsOf(files: readonly SettledFile[]): Promise<Record<string, MediaFacts>> {
  const ref = { rootId: 'root-1', rootPath: root, exportPath: 'Gate 4', birthMs: 1, mtimeMs: 1 };
  const { evidence } = await readEvidence({
    snapshot: { ref, settled: files, unsettledCount: 0, heldCount: 0, all: files },
    rules: { watch: { profile: 'auto', clockOffsetSeconds: 0, timeZone: 'Europe/London' } },
    gate,
    probe: {
      probe: async (path) => {
        probed.push(basename(path));
        return ok({ durationMs: 5_000 });
      },
      stop: async () => undefined,
    },
    knownFacts: new Map(),
    nowMs: 1_000,
    signal: new AbortController().signal,
  });
  return Object.fromEntries(evidence.probes ?? []);
}

it('does not open a clip again that told everything when it settled', async () => {
  const files = [
    await settled('known.mp4', 'no container any more', { durationMs: 7_000 }),
    await settled('mute.avi', 'no noise any more', {}),
  ];
  expect(await factsOf(files)).toEqual({ 'known.mp4': { durationMs: 7_000 }, 'mute.avi': {} });
  expect(probed).toEqual([]);
});

it('probes what others may know more of, and nothing that is noise', async () => {
  const files = [
    await settled('asked.avi', 'a container of another kind'),
    await settled('noise.avi', sameNoise(8_192)),
  ];
  expect(await factsOf(files)).toEqual({ 'asked.avi': { durationMs: 5_000 }, 'noise.avi': {} });
  expect(probed).toEqual(['asked.avi']);
});

import { expect, it } from 'vitest';
import type { ExportSnapshot, SettledFile } from '../../../../electron/agent/core/settle/file-seen.ts';
import { planBatches } from '../../../../electron/agent/intake/waiting-exports.ts';

const file = (path: string): SettledFile => ({
  path,
  kind: 'file',
  sizeBytes: 1,
  mtimeNs: '1',
  inode: '1',
  device: '1',
  links: 1,
});
function snapshotOf(paths: readonly string[]): ExportSnapshot {
  const settled = paths.map(file);
  const ref = { rootId: 'r', rootPath: '/r', exportPath: 'e', birthMs: 1, mtimeMs: 1 };
  return { ref, settled, unsettledCount: 0, heldCount: 0, all: settled };
}
const name = (index: number): string => `cam${String(index).padStart(6, '0')}`;
const many = Array.from({ length: 3_000 }, (_, index) => `${name(index)}.avi`);

it('takes an export of usual size in one piece', () => {
  expect(planBatches(snapshotOf(many.slice(0, 1_000)), () => false)).toEqual({ total: 1_000, parts: [] });
});

it('cuts a large one into batches that grow, each clip once, and counts what is done', () => {
  const { total, parts } = planBatches(snapshotOf(many.toReversed()), () => false);
  expect(total).toBe(3_000);
  expect(parts.slice(0, 4).map(({ done }) => done)).toEqual([50, 150, 350, 550]);
  expect(parts.at(-1)?.done).toBe(3_000);
  expect(parts.flatMap(({ snapshot }) => snapshot.settled.map(({ path }) => path))).toEqual(many);
});

it('goes on after those that are in the queue', () => {
  const { parts } = planBatches(snapshotOf(many), ({ path }) => path < name(1_500));
  expect(parts[0]?.done).toBe(1_550);
  expect(parts[0]?.snapshot.settled[0]?.path).toBe(`${name(1_500)}.avi`);
});

it('gives each batch the sidecar of the export, and what belongs to its clips', () => {
  const beside = [`${name(0)}.jpg`, `${name(0)}.avi.json`, 'incident.json', `${name(2_000)}.jpg`];
  const { parts } = planBatches(snapshotOf([...many, ...beside]), () => false);
  const first = parts[0]?.snapshot.settled.map(({ path }) => path) ?? [];
  expect(first).toEqual(expect.arrayContaining(beside.slice(0, 3)));
  expect(first).not.toContain(`${name(2_000)}.jpg`);
  expect(parts.every(({ snapshot }) => snapshot.settled[0]?.path === 'incident.json')).toBe(true);
});

it('gives each batch the tables and the text that say what the sidecar does: the first one makes the incident', () => {
  const tables = ['Notes.txt', 'incident.csv', 'videos.csv'];
  const others = ['sub/incident.csv', 'report.csv'];
  const { parts } = planBatches(snapshotOf([...many, ...tables, ...others]), () => false);
  const heads = parts.map(({ snapshot }) => snapshot.settled.slice(0, 4).map(({ path }) => path));
  expect(new Set(heads.map((paths) => paths.slice(0, 3).join()))).toEqual(new Set([tables.join()]));
  expect(heads[0]?.[3]).toBe(many[0]);
  // Only once also where it is sent as evidence
  const sent = many.concat('incident.csv').map((path) => ({ ...file(path), isEvidence: true as const }));
  const { total, parts: withIt } = planBatches({ ...snapshotOf([]), settled: sent }, () => false);
  const counts = withIt.map(({ snapshot }) => snapshot.settled.filter(({ path }) => path === 'incident.csv'));
  expect(counts.every(({ length }) => length === 1)).toBe(true);
  expect(withIt.at(-1)?.done).toBe(total);
});

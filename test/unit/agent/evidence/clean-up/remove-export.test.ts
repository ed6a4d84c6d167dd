import { describe, expect, it } from 'vitest';
import {
  carryOut,
  planRemoval,
  type CleanUpPlan,
  type ExportDisk,
  type ExportFile,
  type Listing,
  type Obstacle,
  type PlannedFile,
} from '../../../../../electron/agent/evidence/clean-up/remove-export.ts';
import { err, ok, type Result } from '../../../../../shared/lib/result.ts';
import { createDice, type Dice } from '../../../../torture/dice.ts';

/** A file of the model; its bytes also serve as their SHA-256. */
interface Node {
  readonly bytes: string;
  readonly inode: number;
  readonly mtime: number;
}
type Place = 'export' | 'copy' | 'target';
type Tree = Map<string, Node>;

class Killed extends Error {}

/** A disk in memory on which anything may happen between two steps: a power cut, another writer, another agent. */
class ModelDisk {
  readonly places = new Map<Place, Tree>();
  readonly wrong: string[] = [];
  #inode = 1;
  #time = 1;

  readonly isOtherDisk: boolean;
  /** Bytes that the service has stored. */
  readonly stored: ReadonlySet<string>;

  /** Paths of an export whose files lie loose among others. */
  readonly loose: ReadonlySet<string> | undefined;

  constructor(isOtherDisk: boolean, stored: ReadonlySet<string>, loose?: ReadonlySet<string>) {
    this.isOtherDisk = isOtherDisk;
    this.stored = stored;
    this.loose = loose;
  }

  write(place: Place, path: string, bytes: string, keepsTime = false): void {
    const tree = this.places.get(place);
    if (tree === undefined) return;
    const before = tree.get(path);
    const mtime = keepsTime && before !== undefined ? before.mtime : this.#time++;
    tree.set(path, { bytes, inode: before?.inode ?? this.#inode++, mtime });
  }

  replace(path: string, bytes: string): void {
    this.places.get('export')?.delete(path);
    this.write('export', path, bytes);
  }

  /** Notes an error if the removed bytes exist nowhere else. */
  remove(action: CleanUpPlan['action'], path: string, node: Node): void {
    const copied = this.places.get('target')?.get(path)?.bytes;
    const isSafe = action === 'delete' ? this.stored.has(node.bytes) : copied === node.bytes;
    if (!isSafe) this.wrong.push(`${path} with ${node.bytes} was removed`);
    this.places.get('export')?.delete(path);
  }

  everything(): ReadonlySet<string> {
    return new Set([...this.places.values()].flatMap((tree) => [...tree.values()].map(({ bytes }) => bytes)));
  }
}

const seen = (path: string, { bytes, inode, mtime }: Node): ExportFile => ({
  path,
  sizeBytes: bytes.length,
  mtimeNs: String(mtime),
  inode: String(inode),
  device: '1',
});

const obstacle = (reason: string): Result<never, Obstacle> => err({ reason, waits: true });

/** The steps of one agent on the disk; `between` runs before and after each of them. */
function stepsOn(model: ModelDisk, action: CleanUpPlan['action'], between: () => void): ExportDisk {
  const find = (place: Place, { path, inode, mtimeNs }: ExportFile): Node | undefined => {
    const node = model.places.get(place)?.get(path);
    return node && String(node.inode) === inode && String(node.mtime) === mtimeNs ? node : undefined;
  };
  const step = async <T>(work: () => Result<T, Obstacle>): Promise<Result<T, Obstacle>> => {
    between();
    const result = work();
    between();
    return result;
  };
  const move = (from: Place, to: Place): Result<void, Obstacle> => {
    const tree = model.places.get(from);
    if (tree === undefined || model.places.has(to)) return obstacle('it cannot be renamed');
    model.places.set(to, tree);
    model.places.delete(from);
    return ok(undefined);
  };
  return {
    list: (place) =>
      step(() => {
        const tree = model.places.get(place);
        const listing: Listing | undefined = tree && {
          files: [...tree]
            .filter(([path]) => place !== 'export' || model.loose?.has(path) !== false)
            .map(([path, node]) => seen(path, node)),
          folders: [],
        };
        return ok(listing);
      }),
    sum: (place, file) =>
      step(() => {
        const node = find(place, file);
        return node === undefined ? obstacle('it changed') : ok(node.bytes);
      }),
    removeFile: (file) =>
      step(() => {
        const node = find('export', file);
        if (node === undefined || node.bytes !== file.sha256) return obstacle('it changed');
        model.remove(action, file.path, node);
        return ok(undefined);
      }),
    removeFolders: () =>
      step(() => {
        if (model.loose !== undefined) return ok(undefined);
        if ((model.places.get('export')?.size ?? 0) > 0) return obstacle('it is not empty');
        model.places.delete('export');
        return ok(undefined);
      }),
    rename: () =>
      step(() => {
        if (model.isOtherDisk || model.loose !== undefined) return ok('other-disk');
        const moved = move('export', 'target');
        return moved.ok ? ok('renamed') : moved;
      }),
    renameBack: () => step(() => move('target', 'export')),
    copyFile: (file: PlannedFile) =>
      step(() => {
        const node = find('export', file);
        if (node === undefined) return obstacle('it changed');
        if (!model.places.has('copy')) model.places.set('copy', new Map());
        model.write('copy', file.path, node.bytes);
        return ok(undefined);
      }),
    finishCopy: () => step(() => move('copy', 'target')),
  };
}

const PATHS = ['a.mp4', 'b.mp4', 'sub/c.mp4'];

/** One export from proof to end, with kills and interference by others. */
async function runOnce(
  dice: Dice,
  agents: number,
): Promise<{ readonly wrong: readonly string[]; readonly ends: string }> {
  const action = dice.chance(0.5) ? 'delete' : 'move';
  const sent = new Map(PATHS.map((path) => [path, `bytes of ${path}`]));
  const loose = dice.chance(0.3) ? new Set([...PATHS, 'index.xml']) : undefined;
  const model = new ModelDisk(dice.chance(0.5), new Set(sent.values()), loose);
  model.places.set('export', new Map());
  for (const [path, bytes] of sent) model.write('export', path, bytes);
  if (action === 'move' && dice.chance(0.5)) model.write('export', 'index.xml', 'companion');
  const looked = [...(model.places.get('export') ?? [])].map(([path, node]) => seen(path, node));
  /** Bytes that only an agent can remove. */
  const lasting = new Set(['companion'].filter((bytes) => model.everything().has(bytes)));
  let isQuiet = false;

  function meddle(): void {
    const bytes = `new ${dice.between(1, 1_000_000)}`;
    const path = dice.pick(PATHS);
    if (!model.places.has('export')) return;
    const what = dice.between(0, 3);
    if (what === 0) {
      lasting.add(bytes);
      model.write('export', `${bytes}.mp4`, bytes);
    } else if (what === 1) model.write('export', path, bytes);
    else if (what === 2) model.replace(path, bytes);
    // Another program can restore times and write bytes of the same length
    else
      model.write(
        'export',
        path,
        `other ${path.slice(-9).padStart(3)}`.padEnd(`bytes of ${path}`.length),
        true,
      );
  }
  const between = (): void => {
    if (isQuiet) return;
    if (dice.chance(0.01)) meddle();
    if (dice.chance(0.04)) throw new Killed();
  };

  const plans: (CleanUpPlan | undefined)[] = Array.from({ length: agents });
  const ends = new Set<string>();
  async function go(agent: number): Promise<boolean> {
    const disk = stepsOn(model, action, between);
    let plan = plans[agent];
    if (plan === undefined) {
      const planned = await planRemoval(disk, action, looked, sent);
      if (!planned.ok) return true;
      plans[agent] = plan = planned.value;
      between();
    }
    const done = await carryOut(disk, plan);
    ends.add(done.ok ? 'done' : 'kept');
    return done.ok || !done.error.waits;
  }
  for (let tries = 0; tries < 12; tries += 1) {
    isQuiet = tries >= 8;
    const results = await Promise.allSettled(Array.from({ length: agents }, (_, agent) => go(agent)));
    for (const result of results)
      if (result.status === 'rejected' && !(result.reason instanceof Killed)) throw result.reason;
    if (results.every((result) => result.status === 'fulfilled' && result.value)) break;
  }
  const left = model.everything();
  const lost = [...lasting].filter((bytes) => !left.has(bytes));
  return { wrong: [...model.wrong, ...lost.map((bytes) => `${bytes} is lost`)], ends: [...ends].join() };
}

describe('10,000 exports, folders and loose clips, that are deleted or moved while anything happens between two steps', () => {
  it.each([
    ['one agent', 1, 8_000],
    ['two agents on one folder', 2, 2_000],
  ])('lose nothing that is not proved to be elsewhere: %s', async (_, agents, runs) => {
    const ends = new Map<string, number>();
    for (let run = 0; run < runs; run += 1) {
      const { wrong, ends: end } = await runOnce(createDice(agents * 100_000 + run), agents);
      expect(wrong, `run ${run}`).toEqual([]);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    // Most runs finish despite this, and some exports are kept
    expect(ends.get('done')).toBeGreaterThan(runs / 4);
    expect([...ends.keys()].some((end) => end.includes('kept'))).toBe(true);
  });
});

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { fileKindOf } from '../../../electron/agent/core/naming/file-kinds.ts';
import { startBench, type Bench } from '../../helpers/agent-bench.ts';
import { idsOf, sha256Of, writeSpec, type FileSpec } from '../../helpers/bench-files.ts';
import { checkInvariants, type Source } from '../../helpers/invariants.ts';

type BenchOptions = NonNullable<Parameters<typeof startBench>[1]>;
type Files = Readonly<Record<string, FileSpec>>;

/** Options of a folder bench in addition to those of every bench. */
interface FolderOptions extends BenchOptions {
  /** Settings of the watched folder, except its path. */
  readonly watch?: Readonly<Record<string, unknown>>;
  /** Creates entries that a `FileSpec` cannot describe, before the agent starts. */
  readonly prepare?: (root: string) => unknown;
}

/** A bench whose watched folder can be configured and renamed, with helpers that inspect exports. */
export type FolderBench = Awaited<ReturnType<typeof startFolderBench>>;

/** Starts a bench that watches `root`, a folder inside `home` that the test may change freely. */
export async function startFolderBench(
  context: Pick<TestContext, 'onTestFinished'>,
  { files = {}, watch, prepare, settings, ...more }: FolderOptions = {},
) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'vms-folders-')));
  context.onTestFinished(() => rm(home, { recursive: true, force: true }));
  const root = join(home, 'exports');
  await mkdir(root);
  const write = (path: string, spec: FileSpec) => writeSpec(join(home, 'staging'), join(root, path), spec);
  for (const [path, spec] of Object.entries(files)) await write(path, spec);
  await prepare?.(root);
  const bench = await startBench(context, {
    ...more,
    settings: { watch: [{ path: root, settleSeconds: 0.1, ...watch }], ...settings },
  });
  const ids = (path: string, generation = 1) => {
    const [folder = '', ...rest] = path.split('/');
    return idsOf({ dataDir: bench.dataDir, root, folder, path: rest.join('/'), generation });
  };

  /** Notes a clip in its present state, for `expectExactly` after it was changed, moved or removed. */
  async function note(
    path: string,
    expected: Source['expected'] = 'uploaded',
    generation = 1,
  ): Promise<Source> {
    const sha256 = expected === 'failed' ? '' : await sha256Of(join(root, path));
    return { ...(await ids(path, generation)), name: `${path} #${generation}`, sha256, expected };
  }

  /**
   * Checks that the service has exactly these clips of their incidents, each once and with its bytes. `staleObjects`:
   * objects that were stored in one piece and no longer are a clip; the interface has no call to remove them.
   */
  async function expectExactly(sources: readonly Source[], staleObjects = 0): Promise<void> {
    expect(await checkInvariants({ simulator: bench.simulator, sources, staleObjects })).toEqual([]);
    expect(bench.logs.filter((line) => line.level === 'error')).toEqual([]);
  }

  return {
    ...bench,
    home,
    root,
    write,
    ids,
    note,
    expectExactly,
    /** As `expectExactly`, for every clip among the files as they now are. */
    async expectWhole(now: Files = files, failed: readonly string[] = []): Promise<void> {
      const paths = Object.keys(now).filter((path) => fileKindOf(path).kind === 'clip');
      await expectExactly(
        await Promise.all(paths.map((path) => note(path, failed.includes(path) ? 'failed' : 'uploaded'))),
      );
    },
  };
}

/** The incident of the export with `folder/path`, as the service has it. */
export async function incidentOf(bench: FolderBench, path: string) {
  const { incidentId } = await bench.ids(path);
  return bench.simulator.incidents().get(incidentId);
}

/** The clip `folder/path` as the service lists it, in whichever array. */
export async function videoOf(bench: FolderBench, path: string, generation = 1) {
  const { clipId } = await bench.ids(path, generation);
  const incident = await incidentOf(bench, path);
  const videos = [...(incident?.uploaded_videos ?? []), ...(incident?.failed_videos ?? [])];
  return videos.find(({ id }) => id === clipId);
}

/** Codes of the warnings about an export, each once, in alphabetical order. */
export function warningCodes(bench: FolderBench, folder: string): readonly string[] {
  const mine = bench.of('warning').filter(({ message }) => message.startsWith(`${folder}: `));
  return [...new Set(mine.map(({ code }) => code))].toSorted();
}

/** `folder/file CODE` of every file that was not accepted, each once, in alphabetical order. */
export function heldFiles(bench: Pick<Bench, 'of'>): readonly string[] {
  const lines = bench.of('file.held').map(({ folder, file, code }) => `${folder}/${file} ${code}`);
  return [...new Set(lines)].toSorted();
}

/** Requests that carried bytes of files whose name begins with this stem. */
export function bytesSent(bench: Pick<Bench, 'simulator'>, stem: string) {
  return bench.simulator.requests
    .all()
    .filter(
      ({ call, key = '' }) => (call === 'putObject' || call === 'putPart') && key.includes(`-${stem}-`),
    );
}

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../scripts/ensure-built.ts';
import type { Invariant } from './findings.ts';

interface Edit {
  readonly file: string;
  /** Must occur in the file exactly once: if the product has changed, this fails loudly. */
  readonly find: string;
  readonly replace: string;
}

/** A copy of the product with one deliberate mistake. */
export interface BrokenBuild {
  readonly name: string;
  readonly mistake: string;
  /** Invariants that reveal it; any of them will do. */
  readonly expected: readonly Invariant[];
  /** Number of kills within which it must be found. */
  readonly kills: number;
  readonly edits: readonly Edit[];
}

export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'early-done',
    mistake: 'a clip counts as uploaded before "complete" was answered',
    expected: ['I5'],
    kills: 40,
    edits: [
      {
        file: 'electron/agent/upload/large-upload.ts',
        find: 'await groupCommit.commit(() => tables.multiparts.completing(clip.id));',
        replace:
          'await groupCommit.commit(() => void results.clipUploaded(clip.id, upload.storageKey, sha256, upload, { startedAt: null }));',
      },
    ],
  },
  {
    name: 'forget-parts',
    mistake: 'parts that were acknowledged are sent again after a start',
    expected: ['I9'],
    kills: 40,
    edits: [
      {
        file: 'electron/agent/upload/send-parts.ts',
        find: 'const done = new Set(rows.map((row) => row.number));',
        replace: 'const done = new Set<number>();',
      },
    ],
  },
  {
    name: 'fresh-ids',
    mistake: 'each start makes new ids for the exports that it finds',
    expected: ['I1', 'I2', 'I4'],
    kills: 12,
    edits: [
      {
        file: 'electron/agent/intake/store-judged.ts',
        find: 'const incidentId = existing?.id ?? chooseId(deps, snapshot.ref, birthMs, described);',
        replace:
          'const { deskId, rootId, exportPath } = { ...deps, ...snapshot.ref };\n  const incidentId = incidentIdOf(deskId, `${rootId} ${process.pid}`, exportPath, birthMs);',
      },
    ],
  },
  {
    name: 'keep-leases',
    mistake: 'jobs that a killed process had leased are never free again',
    expected: ['I1'],
    kills: 8,
    edits: [
      {
        file: 'electron/agent/store/job-rows.ts',
        find: 'freeLeasesOfOthers: (leaseName: string) => freeOthers.run(leaseName).changes,',
        replace: 'freeLeasesOfOthers: (leaseName: string) => leaseName.length * 0,',
      },
    ],
  },
  {
    name: 'skip-orphans',
    mistake: 'uploads of a changed file are forgotten and not aborted',
    expected: ['I6'],
    kills: 40,
    edits: [
      {
        file: 'electron/agent/queue/orphan-uploads.ts',
        find: 'if (upload === undefined) return undefined;',
        replace:
          'if (upload !== undefined) tables.multiparts.remove(clipId);\n  if (upload === undefined || clipId !== "") return undefined;',
      },
    ],
  },
  {
    name: 'synced-early',
    mistake: 'an incident counts as told before its PUT was answered',
    expected: ['I1', 'I5'],
    kills: 40,
    edits: [
      {
        file: 'electron/agent/record/record-worker.ts',
        find: 'let answer = await put(seen.erases || isUntitled);',
        replace:
          'tables.write(() => void storeSynced(deps, incident, JSON.stringify(details), clips));\n  let answer = await put(seen.erases || isUntitled);',
      },
    ],
  },
  {
    name: 'early-history',
    mistake: 'the history says that a clip is uploaded before "complete" was answered',
    expected: ['I11'],
    kills: 40,
    edits: [
      {
        file: 'electron/agent/upload/large-upload.ts',
        find: 'await groupCommit.commit(() => tables.multiparts.completing(clip.id));',
        replace:
          "await groupCommit.commit(() => void tables.history.clip(clip.id, { at: 0, facts: { kind: 'uploaded' } }));",
      },
    ],
  },
];

export function findBuild(name: string): BrokenBuild | undefined {
  return brokenBuilds.find((build) => build.name === name);
}

const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Copies the built program, which starts in half the time of its sources, and returns the copy's path: editing the
 * project during a long run does not affect it. Throws when the program cannot be built.
 */
export async function copyBuild(folder: string): Promise<string> {
  if (!(await ensureBuilt())) throw new Error('The program could not be built.');
  copyParts(['dist', 'package.json'], folder);
  return join(folder, 'dist', 'main', 'headless.js');
}

/** Copies the sources, makes the mistake in the copy, and returns the path of its program. */
export function makeBrokenBuild(build: BrokenBuild, folder: string): string {
  copyParts(['electron', 'shared', 'package.json'], folder);
  for (const edit of build.edits) makeEdit(join(folder, edit.file), edit, build.name);
  return join(folder, 'electron', 'headless.ts');
}

function copyParts(names: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) cpSync(join(projectDir, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectDir, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

function makeEdit(path: string, { file, find, replace }: Edit, name: string): void {
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) {
    const times = parts.length - 1;
    throw new Error(
      `The broken build ${name} no longer fits ${file}: its text stands there ${times} times, not once.`,
    );
  }
  writeFileSync(path, parts.join(replace));
}

import { join } from 'node:path';
import { fs } from '../files/plain-fs.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { SeenFacts } from '../../../shared/domain/seen-export.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import type { ExportRef, ExportSnapshot } from '../core/settle/file-seen.ts';
import type { AgentEvents } from '../events.ts';
import { readEntries, statOf } from '../files/read-entries.ts';
import type { RootGate, RootGates } from '../files/root-gate.ts';
import type { WatchedRoot } from '../files/watched-root.ts';
import type { Clock } from '../ports.ts';
import type { SeenRoot, RootAnswer } from '../store/desk-rows.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { DATABASE_FILE, openDbBeside } from '../store/open-db.ts';
import { createTables, type Tables } from '../store/tables.ts';

/** Most files sent before that a folder of another disk may hold without a person being asked. */
const MOST_WITHOUT_QUESTION = 20;
/** Most files that are checked to find out; a desk with few exports has no more. */
const MOST_LOOKED_AT = 2_000;
/** If this many files are the very ones that were sent, and none is another, the disk is the same. */
const ENOUGH_SAME = 64;

/**
 * How the exports of a root are compared with what was sent. `usual`: by SHA-256. `adopt`: a person said that it is the
 * same evidence, so path, size and time are enough. `send`: a person said that it is not; what was sent before the
 * question (milliseconds since 1970) does not count. `waiting`: nobody has answered yet, and nothing is taken in.
 */
export type RootTerms =
  | { readonly kind: 'usual' | 'adopt' | 'waiting' }
  | { readonly kind: 'send'; readonly askedAt: number };

/** Knows which folder of which disk is at the path of each root. */
export interface RootCheck {
  /** Asks a person first when another folder is there now and holds many files that were sent. */
  termsOf(ref: ExportRef, signal: AbortSignal): Promise<RootTerms>;
}

interface Deps {
  readonly tables: Tables;
  readonly gates: RootGates;
  readonly roots: readonly Pick<WatchedRoot, 'settings'>[];
  readonly clock: Pick<Clock, 'now'>;
  readonly events: AgentEvents;
}

/** Creates the check. Its findings are kept in the database, so that a restart does not ask again. */
export function createRootCheck({ tables, gates, roots, clock, events }: Deps): RootCheck {
  /** Roots that this process has reported to a person. */
  const reported = new Set<string>();

  function termsInQueue({ rootId, rootPath, device, inode }: SeenRoot): RootTerms | undefined {
    const row = tables.roots.byId(rootId);
    if (row === undefined) {
      // Watched by a version without this table, or by a desk that has sent nothing
      const isFirst = tables.incidents.ofRoot(rootId).length > 0 || !tables.sent.hasAny();
      return isFirst ? { kind: 'usual' } : undefined;
    }
    if (row.device !== device || row.inode !== inode) return undefined;
    if (row.askedAt === null) return { kind: 'usual' };
    if (row.answer === 'send') return { kind: 'send', askedAt: row.askedAt };
    if (row.answer === 'adopt') return { kind: 'adopt' };
    if (!reported.has(rootId)) report(rootId, rootPath);
    return { kind: 'waiting' };
  }

  function report(rootId: string, rootPath: string): void {
    reported.add(rootId);
    const { code, message, advice } = rootDifferent(rootPath);
    events.emit({ event: 'root.waiting', root: rootPath, code, message, advice });
  }

  return {
    async termsOf({ rootId, rootPath }, signal) {
      // A pushed folder was chosen deliberately
      if (!roots.some(({ settings }) => settings.path === rootPath)) return { kind: 'usual' };
      const gate = gates.of(rootPath);
      const stats = await statOf(gate, rootPath, signal);
      if (stats === undefined) return { kind: 'usual' };
      const seen = { rootId, rootPath, device: String(stats.dev), inode: String(stats.ino) };
      // Whatever of this a power cut undoes, the next start finds again
      const known = termsInQueue(seen);
      if (
        known === undefined &&
        (await holdsManySent(tables, gate, { rootId, rootPath }, stats.size, signal))
      ) {
        tables.writeUnsynced(() => tables.roots.ask(seen, clock.now()));
        report(rootId, rootPath);
        return { kind: 'waiting' };
      }
      if (known === undefined || tables.roots.byId(rootId) === undefined)
        tables.writeUnsynced(() => tables.roots.accept(seen));
      return known ?? { kind: 'usual' };
    },
  };
}

/**
 * Whether more than a few files were sent before, by folder, path and size. Files known to be the very ones that were
 * sent do not count: by inode on a disk that was moved or mounted elsewhere, or by place, and by their time.
 */
async function holdsManySent(
  { sent }: Pick<Tables, 'sent'>,
  gate: RootGate,
  { rootId, rootPath }: Pick<ExportRef, 'rootId' | 'rootPath'>,
  folderBytes: bigint,
  signal: AbortSignal,
): Promise<boolean> {
  const { entries } = await readEntries(gate, rootPath, folderBytes, signal);
  let others = 0;
  let same = 0;
  let lookedAt = 0;
  for (const { name, kind } of entries) {
    if (kind !== 'directory') continue;
    const rows = new Map(sent.inFolder(name).map((row) => [row.path, row]));
    if (rows.size === 0) continue;
    const folder = await statOf(gate, join(rootPath, name), signal);
    for (const row of rows.values()) {
      lookedAt += 1;
      const stats = await statOf(gate, join(rootPath, name, row.path), signal);
      if (stats === undefined || Number(stats.size) !== row.sizeBytes) continue;
      const isInPlace = row.rootId === rootId && isSameBirth(row.birthMs, Number(folder?.birthtimeMs ?? 0));
      const isKnown = isInPlace || String(stats.ino) === row.inode;
      if (isKnown && String(stats.mtimeNs) === row.mtimeNs) same += 1;
      else others += 1;
      if (others > MOST_WITHOUT_QUESTION) return true;
      if (lookedAt > MOST_LOOKED_AT || (others === 0 && same >= ENOUGH_SAME)) return false;
    }
  }
  return false;
}

const isSameBirth = (one: number, other: number): boolean => one === other || one === 0 || other === 0;

/** The failure of a root that waits for a person's answer. */
export function rootDifferent(rootPath: string): Failure {
  const name = visibleName(rootPath);
  return {
    code: 'ROOT_DIFFERENT',
    message: `The watched folder ${name} is new or was replaced, and more than ${MOST_WITHOUT_QUESTION} files in it have the names and sizes of files that were already sent.`,
    advice: `Nothing is lost, and nothing is sent from it until you answer. Does it contain the same evidence, for example on another disk? Answer in Uploads, in the details of one of its exports, or run: vms-export-agent root "${name}" --adopt for yes, --send for no.`,
    retryable: true,
  };
}

/** The state of an export whose watched folder waits for an answer; its first clip carries the reason. */
export function askedFacts({ ref, settled, all }: ExportSnapshot): SeenFacts {
  const clips = settled.filter(isClipFile);
  const named = clips.slice(0, 1).map(({ path }) => ({ path, failure: rootDifferent(ref.rootPath) }));
  const sizeBytes = all.reduce((sum, file) => sum + file.sizeBytes, 0);
  return { files: all.length, sizeBytes, concerned: clips.length, named, rootAsked: ref.rootPath };
}

/** Records whether a watched folder holds the evidence that was sent before; false when no question is open. */
export function answerRoot(
  { roots, write }: Pick<Tables, 'roots' | 'write'>,
  folder: string,
  answer: RootAnswer,
): boolean {
  return write(() => roots.answer(folder, answer));
}

/**
 * `answerRoot` for a data directory, beside the agent that may be running on it, which notices within a second.
 * Errors: NOT_FOUND when no question is open; those of `openDbBeside`.
 */
export async function answerStoredRoot(
  dataDir: string,
  folder: string,
  answer: RootAnswer,
): Promise<Result<void, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!fs.existsSync(file)) return err(noOpenQuestion(folder));
  const opened = openDbBeside(file);
  if (!opened.ok) return opened;
  try {
    const isAnswered = answerRoot(createTables(opened.value), folder, answer);
    return isAnswered ? ok(undefined) : err(noOpenQuestion(folder));
  } finally {
    opened.value.close();
  }
}

const noOpenQuestion = (folder: string): Failure => ({
  code: 'NOT_FOUND',
  message: `There is no open question about ${visibleName(folder)}.`,
  advice:
    'It may have been answered already. Otherwise, check the path of the watched folder, and use the same --data-dir as the agent.',
  retryable: false,
});

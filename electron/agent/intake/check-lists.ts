import { createReportOnce } from '../../../shared/lib/report-once.ts';
import { MOST_SEEN_NAMES } from '../../../shared/domain/seen-export.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { baseName, folderOf, isIgnoredFileName, isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import { MAX_LIST_BYTES, onlyFileOf, type ListedFile } from '../core/naming/hash-list.ts';
import {
  createFileFinder,
  filesThatName,
  isSidecarName,
  readNamedFiles,
} from '../core/naming/named-files.ts';
import type { IntakeRules } from '../core/naming/described-export.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import type { ExportRef, ExportSnapshot, SettledFile } from '../core/settle/file-seen.ts';
import { createJoinCheck } from '../core/settle/split-units.ts';
import type { FileSums } from '../files/file-sum.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';
import type { SeenExports } from '../queue/seen-exports.ts';
import type { Tables } from '../store/tables.ts';
import { readSmallFile } from './read-evidence.ts';
import { incidentOf } from '../store/incident-rows.ts';
import { createSumMemory, type SumMemory } from './listed-sums.ts';
import { isSameClip } from './store-clip.ts';

/** Most differing clips that are remembered as reported. */
const MOST_REPORTED = 10_000;
/** Refused rows of one list that are reported individually. */
const MOST_ROWS_TOLD = 5;

/** Result of checking an export's files against its lists. */
interface ListCheck {
  /** The first list that names a missing file; empty if none does. */
  readonly list: string;
  /** Files that are listed but missing, except those of other incidents. */
  readonly missing: readonly string[];
  /** Clips that differ from what a list says. */
  readonly different: ReadonlyMap<string, Failure>;
  /** SHA-256 that a list states, by path of the clip. */
  readonly stated: ReadonlyMap<string, string>;
  /** Clips that no list names, if one of the lists covers the whole folder. */
  readonly unlisted: ReadonlySet<string>;
  /** Lists and rows that were not used. */
  readonly problems: readonly Failure[];
}

interface Deps {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly gates: RootGates;
  readonly listSums: FileSums;
  readonly tables: Tables;
  readonly events: AgentEvents;
  readonly seen?: Pick<SeenExports, 'needs'>;
  readonly warn: (folder: string, problems: readonly Failure[]) => void;
}

/** The export to check, and which of its files need not be hashed again. */
interface ListQuestion {
  readonly snapshot: ExportSnapshot;
  /** Whether a file is in the queue in this version. */
  readonly isKnown: (file: SettledFile) => boolean;
  /** On the monotonic clock, milliseconds: what is not hashed by then is hashed in the next call. */
  readonly untilMs: number;
}

/** How long one call hashes clips, milliseconds; then it is the turn of the root's other exports. */
const HASHING_MS = 10_000;

type Take = (
  snapshot: ExportSnapshot,
  rules: IntakeRules,
  signal: AbortSignal,
) => Promise<'more' | undefined>;

/**
 * Takes in an export by what its lists say: one that lacks a listed file waits, a clip that differs is held back, and
 * both are shown. What a person sends by hand is sent as it is, and so is what is in the queue already.
 */
export function createListedTake(deps: Deps, take: Take): Take {
  const { tables, clock, events, seen } = deps;
  const sums = createSumMemory(deps.listSums);
  const check = createListCheck(deps, sums);
  const held = createReportOnce(MOST_REPORTED);

  return async (snapshot, rules, signal) => {
    const { ref } = snapshot;
    // A list that has yet to settle may contradict files that already have
    const settledPaths = new Set(snapshot.settled.map(({ path }) => path));
    const naming = filesThatName(snapshot.all.map(({ path }) => path));
    const isListComing = [...naming].some((path) => !settledPaths.has(path));
    if (isListComing && snapshot.unsettledCount > 0) return undefined;
    const isUnlisted = snapshot.removedExport === true || ![...naming].some((path) => settledPaths.has(path));
    if (isUnlisted) sums.setUnfinished(ref, false);
    if (isUnlisted) return take(snapshot, rules, signal);
    const existing = incidentOf(tables, ref);
    const rows = new Map(
      existing === undefined ? [] : tables.clips.ofIncident(existing.id).map((row) => [row.path, row]),
    );
    const isKnown = (file: SettledFile): boolean => {
      const row = rows.get(file.path);
      return row !== undefined && isSameClip(row, file);
    };
    const lists = await check({ snapshot, isKnown, untilMs: clock.monotonic() + HASHING_MS }, signal);
    sums.setUnfinished(ref, lists === 'more');
    if (lists === 'more') return lists;
    deps.warn(ref.exportPath, lists.problems);
    const isByHand = rules.overrides !== undefined;
    const isNew =
      existing === undefined && tables.kept.byExport(ref.rootId, ref.exportPath, ref.birthMs) === undefined;
    if (isNew && !isByHand && lists.missing.length > 0) {
      const named = lists.missing.slice(0, MOST_SEEN_NAMES).map((path) => ({ path }));
      seen?.needs(ref, 'missing', {
        ...sizesOf(snapshot),
        concerned: lists.missing.length,
        named,
        list: lists.list,
      });
      return undefined;
    }
    const isLeft = ({ path }: SettledFile): boolean => !isByHand && lists.different.has(path);
    const settled = snapshot.settled.filter((file) => !isLeft(file));
    const taken = await take({ ...snapshot, settled }, { ...rules, lists }, signal);
    if (isByHand || lists.different.size === 0) return taken;
    const named = [...lists.different]
      .slice(0, MOST_SEEN_NAMES)
      .map(([path, failure]) => ({ path, failure }));
    seen?.needs(ref, 'held', { ...sizesOf(snapshot), concerned: lists.different.size, named });
    for (const [file, { code, message, advice }] of lists.different)
      if (held.isNews(`${ref.rootId}\n${ref.exportPath}\n${file}`, ''))
        events.emit({ event: 'file.held', folder: ref.exportPath, file, code, message, advice });
    return taken;
  };
}

function sizesOf({ all }: ExportSnapshot): { readonly files: number; readonly sizeBytes: number } {
  return { files: all.length, sizeBytes: all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

/** Reads the lists of an export and hashes the clips whose sum they state. Rejects with `FailureError`. */
function createListCheck({ clock, gates }: Pick<Deps, 'clock' | 'gates'>, sums: SumMemory) {
  async function check(question: ListQuestion, signal: AbortSignal): Promise<ListCheck | 'more'> {
    const { snapshot, isKnown, untilMs } = question;
    const present = new Set(snapshot.all.map(({ path }) => path));
    const clips = snapshot.settled.filter(isClipFile);
    const wouldJoin = createJoinCheck(
      snapshot.ref,
      clips.map(({ path }) => path),
    );
    const isMissing = (path: string): boolean => !present.has(path) && !isByProduct(path) && wouldJoin(path);
    const naming = filesThatName([...present]);
    const lists = snapshot.settled.filter(({ path }) => naming.has(path));
    const problems: Failure[] = [];
    const listed = new Map<string, ListedFile[]>();
    const firstMissing: string[] = [];
    let namesAll = false;
    for (const list of lists) {
      const named = await readList(gates, snapshot, list, present, problems, signal);
      const names = named.map(({ path }) => path);
      const fileNamed = createFileFinder(present, names);
      const files = named.map((file) => ({ ...file, path: fileNamed(file.path) }));
      namesAll ||= files.length > 0 && onlyFileOf(list.path) === undefined;
      if (files.some(({ path }) => isMissing(path))) firstMissing.push(list.path);
      for (const file of files) listed.set(file.path, [...(listed.get(file.path) ?? []), file]);
    }
    const different = new Map<string, Failure>();
    for (const clip of clips) {
      const rows = (listed.get(clip.path) ?? []).flatMap(({ algorithm, sum }) =>
        algorithm === undefined ? [] : [{ algorithm, sum }],
      );
      if (rows.length === 0 || isKnown(clip)) continue;
      if (clock.monotonic() >= untilMs) return 'more';
      const found = await sums.of(snapshot.ref, clip, signal);
      // If several lists name it, it must match each of them
      if (found !== undefined && rows.some(({ algorithm, sum }) => found[algorithm] !== sum))
        different.set(clip.path, sumDiffers(clip.path, snapshot.ref));
    }
    return {
      list: firstMissing[0] ?? '',
      missing: [...listed.keys()].filter(isMissing),
      different,
      stated: new Map(
        [...listed.values()]
          .flat()
          .flatMap(({ path, algorithm, sum }) =>
            algorithm === 'sha256' && sum !== undefined ? [[path, sum] as const] : [],
          ),
      ),
      unlisted: new Set(namesAll ? clips.flatMap(({ path }) => (listed.has(path) ? [] : [path])) : []),
      problems,
    };
  }

  return check;
}

/** Whether the watch ignores a file: it is not waited for, present or not. */
const isByProduct = (path: string): boolean =>
  isIgnoredFileName(baseName(path)) || folderOf(path).split('/').some(isIgnoredFolderName);

async function readList(
  gates: RootGates,
  snapshot: ExportSnapshot,
  file: SettledFile,
  present: ReadonlySet<string>,
  problems: Failure[],
  signal: AbortSignal,
): Promise<readonly ListedFile[]> {
  const shown = visibleName(file.path);
  const bytes = await readSmallFile(
    { snapshot, gate: gates.of(snapshot.ref.rootPath), signal },
    file,
    MAX_LIST_BYTES,
  );
  if (!bytes.ok) {
    problems.push(bytes.error);
    return [];
  }
  const isTooLarge = bytes.value.length > MAX_LIST_BYTES;
  const list = isTooLarge ? undefined : readNamedFiles(file.path, bytes.value, present);
  if (list === undefined) {
    if (isSidecarName(file.path)) return [];
    problems.push(
      listProblem(
        'SIDECAR_UNREADABLE',
        `Could not read the file list "${shown}": ${isTooLarge ? `it is larger than ${MAX_LIST_BYTES / 1_048_576} MiB` : 'it is not text in UTF-8 or UTF-16'}.`,
      ),
    );
    return [];
  }
  const { files, refused } = list;
  for (const { row, why } of refused.slice(0, MOST_ROWS_TOLD))
    problems.push(listProblem('SIDECAR_PATH', `Row ${row} of "${shown}" was not used: it ${why}.`));
  const more = refused.length - MOST_ROWS_TOLD;
  if (more > 0)
    problems.push(
      listProblem(
        'SIDECAR_PATH',
        `${more} more ${more === 1 ? 'row' : 'rows'} of "${shown}" ${more === 1 ? 'was' : 'were'} not used.`,
      ),
    );
  return files;
}

const listProblem = (code: 'SIDECAR_PATH' | 'SIDECAR_UNREADABLE', message: string): Failure => ({
  code,
  message,
  advice: 'Check the list. Files without a usable row are still sent.',
  retryable: false,
});

/** The advice depends on the unit, because the command line only accepts folders. */
function sumDiffers(path: string, { folder }: ExportRef): Failure {
  return {
    code: 'FILE_SUM_DIFFERS',
    message: `Checksum differs: "${visibleName(path)}" does not match the checksum listed for it. It was not sent.`,
    advice: `Export or copy the clip again, or send it as is${folder === undefined ? ' (in a terminal: "push")' : ' in Uploads'}.`,
    retryable: false,
  };
}

import type { IntakeRules } from '../core/naming/described-export.ts';
import type { ExportRef } from '../core/settle/file-seen.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Tables } from '../store/tables.ts';
import { folderOf, baseName, splitName } from '../core/naming/file-kinds.ts';
import { isIncidentSidecar } from '../core/naming/read-sidecar.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import { isSidecarTable } from '../core/naming/sidecar-tables.ts';
import { asEvidence, isSameFile, type ExportSnapshot, type SettledFile } from '../core/settle/file-seen.ts';
import { parseFlags } from '../store/json-columns.ts';
import { incidentOf } from '../store/incident-rows.ts';

/** How often to check whether a person has answered, milliseconds: the answer may come from another process. */
const LOOK_MS = 500;

/** Exports that wait for a person's answer about their root, or for the clips that they copy, as last handed over. */
export interface WaitingExports {
  /** Takes it in once no question about its root is open and, if given, `isDue` is true. */
  keep(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal, isDue?: () => boolean): void;
  /** Forgets an export, because it is handed over again. */
  drop(ref: ExportRef): void;
  /** Whether one is being taken in, or is due. */
  hasDue(): boolean;
  settled(): Promise<void>;
}

interface Waiting {
  readonly snapshot: ExportSnapshot;
  readonly rules: IntakeRules;
  readonly isDue: (() => boolean) | undefined;
}

interface Deps {
  readonly tables: Pick<Tables, 'roots'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'error'>;
}

type Take = (
  snapshot: ExportSnapshot,
  rules: IntakeRules,
  signal: AbortSignal,
) => Promise<'more' | undefined>;

/** Keeps them in memory only: the watch hands everything over again after a restart. */
export function createWaitingExports({ tables, clock, logger }: Deps, take: Take): WaitingExports {
  const exports = new Map<string, Waiting>();
  let running: Promise<void> | undefined;
  let isTaking = false;

  const keyOf = ({ rootId, exportPath }: ExportRef): string => `${rootId}\n${exportPath}`;

  async function takeAnswered(signal: AbortSignal): Promise<void> {
    while (exports.size > 0) {
      await clock.sleep(LOOK_MS, signal);
      const asked = new Set(tables.roots.waiting());
      for (const [key, kept] of exports) {
        const { snapshot, rules, isDue } = kept;
        if (asked.has(snapshot.ref.rootPath) || isDue?.() === false) continue;
        exports.delete(key);
        isTaking = true;
        const taken = await take(snapshot, rules, signal)
          .catch((error: unknown) => {
            const { exportPath } = snapshot.ref;
            logger.error('An export could not be queued; it will be retried', {
              export: exportPath,
              error,
            });
            return 'more' as const;
          })
          .finally(() => (isTaking = false));
        if (taken === 'more' && !signal.aborted) exports.set(key, kept);
      }
    }
  }

  function start(signal: AbortSignal): void {
    running ??= takeAnswered(signal)
      .catch((error: unknown) => {
        if (!signal.aborted)
          logger.error('Checking the waiting exports failed; it will be retried', { error });
      })
      .finally(() => {
        running = undefined;
        // One may have been kept since the last look
        if (exports.size > 0 && !signal.aborted) start(signal);
      });
  }

  return {
    keep(snapshot, rules, signal, isDue) {
      exports.set(keyOf(snapshot.ref), { snapshot, rules, isDue });
      start(signal);
    },
    hasDue: () => isTaking || [...exports.values()].some(({ isDue }) => isDue?.() === true),
    drop: (ref) => void exports.delete(keyOf(ref)),
    settled: async () => running,
  };
}

/** Clips in the first batch: read within seconds, so that something is on its way while the rest is read. */
const FIRST_BATCH = 50;
/** Clips in the largest batch: after a kill, what is read and not stored yet is read again. */
const LARGEST_BATCH = 200;
/** Most new clips of an export that is taken in as one. */
const MOST_AT_ONCE = 1_000;

/** A part of an export that is taken in separately. */
interface Batch {
  readonly snapshot: ExportSnapshot;
  /** Clips in the queue once it is stored. */
  readonly done: number;
}

/**
 * Splits the new clips of a large export into batches, in order of path; none for an export that is taken in as one.
 * Each has the sidecars of the export, and the images and sidecars of its clips. `isKnown`: files to keep out of the
 * batches.
 */
export function planBatches(
  snapshot: ExportSnapshot,
  isKnown: (file: SettledFile) => boolean,
): { readonly total: number; readonly parts: readonly Batch[] } {
  const clips = snapshot.settled.filter(isClipFile);
  const ofAll = ({ path }: SettledFile): boolean => isIncidentSidecar(path) || isSidecarTable(path);
  const fresh = clips.filter((file) => !isKnown(file) && !ofAll(file)).toSorted(byPath);
  if (fresh.length <= MOST_AT_ONCE) return { total: clips.length, parts: [] };
  const companions = Map.groupBy(
    snapshot.settled.filter((file) => !isClipFile(file) && !ofAll(file)),
    ({ path }) => stemOf(path),
  );
  const sidecars = snapshot.settled.filter(ofAll);
  const parts: Batch[] = [];
  let size = FIRST_BATCH;
  for (let first = 0; first < fresh.length;) {
    const some = fresh.slice(first, first + size);
    first += some.length;
    size = Math.min(LARGEST_BATCH, size * 2);
    const settled = [...sidecars, ...some, ...some.flatMap((clip) => companionsOf(companions, clip))];
    const done = clips.length - fresh.length + first;
    parts.push({ snapshot: { ...snapshot, settled, all: settled }, done });
  }
  return { total: clips.length, parts };
}

/** `a.jpg`, `a.json` and `a.mp4.json` belong to `a.mp4`. */
function companionsOf(
  companions: ReadonlyMap<string, readonly SettledFile[]>,
  { path }: SettledFile,
): readonly SettledFile[] {
  return [...(companions.get(stemOf(path)) ?? []), ...(companions.get(path) ?? [])];
}

const stemOf = (path: string): string => folderOf(path) + splitName(baseName(path)).stem;

function byPath(one: SettledFile, other: SettledFile): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}

/** Files that the queue has as clips are clips, whatever their names and bytes say. */
export function asQueued(
  tables: Pick<Tables, 'incidents' | 'clips'>,
  snapshot: ExportSnapshot,
): ExportSnapshot {
  const others = snapshot.settled.filter((file) => !isClipFile(file)).map(({ path }) => path);
  const existing = others.length === 0 ? undefined : incidentOf(tables, snapshot.ref);
  if (existing === undefined) return snapshot;
  const rows = new Map(tables.clips.ofPaths(existing.id, others).map((row) => [row.path, row]));
  if (rows.size === 0) return snapshot;
  const settled = snapshot.settled.map((file) => {
    const row = rows.get(file.path);
    return row === undefined ? file : asEvidence(file, parseFlags(row.flags).includes('needs-vendor-player'));
  });
  return { ...snapshot, settled };
}

/**
 * Whether all clips of an export that left the database are as they were dealt with. Notes that the export is there.
 */
export function isDealtWith({ kept }: Pick<Tables, 'kept'>, { ref, settled }: ExportSnapshot): boolean {
  const { rootId, exportPath, birthMs } = ref;
  const found = kept.byExport(rootId, exportPath, birthMs);
  // Without birth times a name that was seen gone is another folder
  if (found === undefined || (birthMs === 0 && found.goneAt !== null)) return false;
  if (found.goneAt !== null) kept.setGone(found.number, null);
  const clips = new Map(kept.clipsOf(found.incidentId).map((clip) => [clip.path, clip]));
  return settled.filter(isClipFile).every((file) => {
    const clip = clips.get(file.path);
    return clip !== undefined && isSameFile(clip, file);
  });
}

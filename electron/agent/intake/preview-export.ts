import type {
  ExportPreview,
  PreviewNote,
  Duplicate,
  PreviewClip,
} from '../../../shared/domain/explanation.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import type { SiteRules } from '../core/naming/recognisers.ts';
import { baseName, isTemporaryName, markerOf } from '../core/naming/file-kinds.ts';
import { isExtraFile } from '../core/naming/account-files.ts';
import { asEvidence, type ExportRef, type FileSeen } from '../core/settle/file-seen.ts';
import type { ReadDb } from '../store/open-db.ts';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';
import { type WatchedRoot, pushPlace, type PushPlace } from '../files/watched-root.ts';
import type { RootGates } from '../files/root-gate.ts';
import { folderMissing } from '../files/find-folder.ts';
import { inspectExport, type InspectedExport } from '../files/inspect-export.ts';
import { fileEmpty } from '../files/file-failures.ts';
import { findDuplicates } from '../store/sent-rows.ts';
import { rootIdOf } from '../core/records/derived-ids.ts';
import { readEvidence, type ReadEvidence } from './read-evidence.ts';
import type { Sourced } from '../../../shared/domain/file-account.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { DescribedClip, DescribedExport } from '../core/naming/described-export.ts';

/** Most entries that are looked at: a person reads no more, and a larger folder was most likely chosen by mistake. */
const MOST_ENTRIES = 10_000;
/** How long entries are looked at, milliseconds; what was seen by then is shown. */
const LOOK_MS = 8_000;
/** How long a person waits for the whole preview, milliseconds. */
const DEADLINE_MS = 20_000;

interface Deps extends LookDeps {
  readonly tables: Tables;
  readonly db: Pick<ReadDb, 'prepare'>;
  readonly deskId: DeskId;
}

/**
 * What would become of a folder if it were sent now, by the rules of sending. Names, stats of files and sidecars are
 * read, clips are not opened; nothing is stored or written. `folder` is a real path. Errors: ROOT_MISSING, ROOT_HUNG,
 * ROOT_OFFLINE.
 */
export const previewExport = (
  deps: Deps,
  folder: string,
  signal: AbortSignal,
): Promise<Result<ExportPreview, Failure>> =>
  inTime(deps.clock, folder, DEADLINE_MS, (until) => preview(deps, folder, until), signal);

/** The result of `look`, or ROOT_HUNG once it takes too long. Rejects when `signal` is aborted. */
export async function inTime<T>(
  clock: Clock,
  folder: string,
  deadlineMs: number,
  look: (signal: AbortSignal) => Promise<Result<T, Failure>>,
  signal: AbortSignal,
): Promise<Result<T, Failure>> {
  const ended = new AbortController();
  const late = new AbortController();
  clock.sleep(deadlineMs, ended.signal).then(
    () => late.abort(new FailureError(tooSlow(folder, deadlineMs))),
    () => undefined,
  );
  try {
    return await look(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  } finally {
    ended.abort();
  }
}

async function preview(
  deps: Deps,
  folder: string,
  signal: AbortSignal,
): Promise<Result<ExportPreview, Failure>> {
  const looked = await lookInto(deps, folder, {}, signal);
  if (!looked.ok) return looked;
  const { evidence } = looked.value;
  const ref = { ...evidence.exportRef, rootId: rootIdOf(deps.deskId, evidence.exportRef.rootPath) };
  const described = describeExport(evidence);
  const { recognised } = evidence;
  const known = deps.tables.incidents.byExport(ref.rootId, ref.exportPath, ref.birthMs);
  const duplicates = await findDuplicates(deps.db, recognised.clips, described.clips, known?.id);
  return ok(
    describePreview({
      ...looked.value,
      folder,
      ...(known && { knownAs: { incidentId: known.id, title: known.title } }),
      described,
      duplicates,
    }),
  );
}

/** The contents of a folder, read as if it were sent. */
interface Looked extends ReadEvidence {
  readonly leftOut: readonly PreviewNote[];
  readonly isCut: boolean;
}

/** Dependencies of reading a folder. */
export interface LookDeps {
  readonly clock: Clock;
  readonly gates: RootGates;
  readonly roots: readonly WatchedRoot[];
  /** The desk's rules for names. */
  readonly site?: SiteRules;
}

/** How files are opened when a folder is read. */
interface Opening extends Pick<Parameters<typeof readEvidence>[0], 'probe' | 'mostProbed'> {
  /** Identifies files by their first bytes. Missing: names count. */
  readonly open?: (
    ref: ExportRef,
    files: readonly FileSeen[],
    signal: AbortSignal,
  ) => Promise<readonly FileSeen[]>;
}

/** Reads a folder as if it were sent. `probe`: the content of clips is read too, of `mostProbed` at most. */
export async function lookInto(
  deps: LookDeps,
  folder: string,
  { open, ...probing }: Opening,
  signal: AbortSignal,
): Promise<Result<Looked, Failure>> {
  const place = pushPlace(deps.roots, folder, deps.site);
  const look = await lookAt(deps, place, folder, signal);
  if (!look.ok) return look;
  const { ref, files, litter, isCut = false } = look.value;
  const { taken, leftOut } = sortOut(look.value);
  const opened = open === undefined ? taken : await open(ref, taken, signal);
  const { extraFiles } = place.rules;
  const isSent = (file: FileSeen): boolean =>
    extraFiles !== undefined && isExtraFile(file, extraFiles, ref.exportPath);
  const settled = opened.map((file) => (isSent(file) ? asEvidence(file, true) : file));
  const read = await readEvidence({
    snapshot: { ref, settled, unsettledCount: 0, heldCount: 0, all: files, litter },
    rules: place.rules,
    gate: deps.gates.of(place.rootPath),
    ...probing,
    knownFacts: new Map(),
    nowMs: deps.clock.now(),
    signal,
  });
  return ok({ ...read, leftOut, isCut });
}

async function lookAt(
  { clock, gates }: LookDeps,
  { rootPath, exportPath }: PushPlace,
  folder: string,
  signal: AbortSignal,
): Promise<Result<InspectedExport, Failure>> {
  const untilMs = clock.monotonic() + LOOK_MS;
  const answer = await inspectExport({
    gate: gates.of(rootPath),
    rootId: '',
    rootPath,
    exportPath,
    nowMs: clock.now(),
    isEnough: (entryCount) => entryCount >= MOST_ENTRIES || clock.monotonic() >= untilMs,
    signal,
  });
  if (answer.kind === 'seen') return ok(answer.seen);
  return err(answer.kind === 'root-failed' ? answer.failure : folderMissing(folder));
}

/** Files that would be queued once they are quiet, and those that would be left out, worded as the watch does. */
function sortOut({ files, problems }: InspectedExport): {
  readonly taken: readonly FileSeen[];
  readonly leftOut: readonly PreviewNote[];
} {
  const plain = files.filter(({ kind }) => kind === 'file');
  const noted = plain.map((file) => ({ file, note: leftOutNote(file) }));
  return {
    taken: noted.flatMap(({ file, note }) => (note === undefined ? [file] : [])),
    leftOut: [
      ...problems.map(({ path, failure }) => noteOf(path, failure)),
      ...noted.flatMap(({ note }) => note ?? []),
    ],
  };
}

function leftOutNote({ path, sizeBytes }: FileSeen): PreviewNote | undefined {
  const name = baseName(path);
  if (isTemporaryName(name)) return noteOf(path, temporaryFile(path));
  return sizeBytes === 0 && markerOf(name) === undefined ? noteOf(path, fileEmpty(path)) : undefined;
}

const noteOf = (file: string, { code, message }: Pick<Failure, 'code' | 'message'>): PreviewNote => ({
  code,
  message,
  file,
});

function temporaryFile(path: string): Pick<Failure, 'code' | 'message'> {
  const message = `Named like an unfinished file: ${visibleName(path)}. It is not sent until it has its final name.`;
  return { code: 'FILE_SKIPPED', message };
}

function tooSlow(folder: string, deadlineMs: number): Failure {
  return {
    code: 'ROOT_HUNG',
    message: `The folder ${visibleName(folder)} could not be scanned within ${deadlineMs / 1000} s.`,
    advice: 'Check the disk or share, and try again.',
    retryable: true,
  };
}

/** Everything found out about a folder that may be sent. */
interface PreviewEvidence extends Looked {
  /** Real path of the folder. */
  readonly folder: string;
  readonly knownAs?: { readonly incidentId: string; readonly title: string };
  readonly described: DescribedExport;
  /** By path of the clip. */
  readonly duplicates: ReadonlyMap<string, readonly Duplicate[]>;
}

/** What a person sees of a folder before it is sent; the words are those that intake will use. */
function describePreview(evidence: PreviewEvidence): ExportPreview {
  const { folder, knownAs, described, duplicates, isCut } = evidence;
  const { recognised } = evidence.evidence;
  const { title, description, incidentAt, latitude, longitude } = described.incident;
  const sizes = new Map(recognised.clips.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const clips = described.clips.map((clip) =>
    previewClip(clip, sizes.get(clip.path) ?? 0, duplicates.get(clip.path) ?? []),
  );
  return {
    folder,
    title: title.value,
    ...knownFields<Partial<ExportPreview>>({
      knownAs,
      description: description?.value,
      incidentAt: timestamp(incidentAt),
      latitude: latitude?.value,
      longitude: longitude?.value,
    }),
    origins: originsOf({ title, description, incidentAt, latitude, longitude }),
    clips,
    totalBytes: clips.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    skipped: [
      ...evidence.leftOut,
      ...recognised.skipped.map(({ path, code, message }) => ({ file: path, code, message })),
    ],
    warnings: [
      ...described.warnings,
      ...evidence.problems.map(({ code, message }) => ({ code, message })),
      ...(clips.length === 0 ? [noClips(isCut)] : []),
    ],
    isCut,
  };
}

const noClips = (isCut: boolean): PreviewNote => ({
  code: 'NO_CLIPS',
  message: isCut
    ? 'No clips to send were found in the part of the folder that was scanned.'
    : 'No clips to send were found in the folder.',
});

function previewClip(clip: DescribedClip, sizeBytes: number, duplicates: readonly Duplicate[]): PreviewClip {
  const { cameraId, cameraName, startedAt, endedAt, thumbnailPath } = clip;
  return {
    file: clip.path,
    sizeBytes,
    ...knownFields<Partial<PreviewClip>>({
      cameraId: cameraId?.value,
      cameraName: cameraName?.value,
      startedAt: timestamp(startedAt),
      endedAt: timestamp(endedAt),
      thumbnail: thumbnailPath?.value,
    }),
    duplicates,
    origins: originsOf({ cameraId, cameraName, startedAt, endedAt, thumbnail: thumbnailPath }),
  };
}

function timestamp(time: Sourced<number> | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time.value).toISOString();
}

function originsOf(fields: Readonly<Record<string, Sourced<unknown> | undefined>>): ExportPreview['origins'] {
  return Object.entries(fields).flatMap(([field, sourced]) => {
    if (sourced === undefined) return [];
    const { source, confidence, note } = sourced;
    return [{ field, source, confidence, ...(note === undefined ? {} : { note }) }];
  });
}

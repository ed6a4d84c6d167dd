import { join } from 'node:path';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { isFileWaitedFor } from '../core/failures/failure-policy.ts';
import type { ExportEvidence, IntakeRules } from '../core/naming/described-export.ts';
import type { MediaFacts } from '../core/naming/file-content.ts';
import { folderOfExport, type FileSeen, type ExportSnapshot } from '../core/settle/file-seen.ts';
import { MAX_SIDECAR_BYTES, readClipSidecar, readSidecar, sidecarOf } from '../core/naming/read-sidecar.ts';
import { readIncidentTable, readNotes, readVideosTable } from '../core/naming/sidecar-tables.ts';
import { unsettledOf } from '../core/naming/account-files.ts';
import { recogniseExport, type ClipFile, type RecognisedExport } from '../core/naming/recognise-export.ts';
import { createFileFinder } from '../core/naming/named-files.ts';
import type { Sidecar, SidecarVideo } from '../core/naming/sidecar.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { judgeFileFailure } from '../files/judge-file-failure.ts';
import { openFile } from '../files/opened-file.ts';
import { createClipCheck, factsOf, isParsedContainer, statedFacts } from '../files/containers/check-clip.ts';
import type { RootGate } from '../files/root-gate.ts';

/** How long an export waits for one of its files that cannot be read while others in its root can, milliseconds. */
const LONGEST_WAIT_MS = 10 * 60_000;

interface Deps {
  readonly snapshot: ExportSnapshot;
  readonly rules: IntakeRules;
  /** All file operations of the snapshot's root go through it; it rejects with ROOT_HUNG. */
  readonly gate: RootGate;
  /** Missing: clips are not opened, only their names and the sidecars are read. */
  readonly probe?: MediaProbe;
  /** Most clips that are opened; the others are read by their names. Default: all. */
  readonly mostProbed?: number;
  /** Facts that are known already, by path: those clips are not probed again. */
  readonly knownFacts: ReadonlyMap<string, MediaFacts>;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** What was read of an export, and what could not be. */
export interface ReadEvidence {
  readonly evidence: ExportEvidence;
  /** Sidecars that were refused; their clips are queued anyway. */
  readonly problems: readonly Failure[];
}

/** Reads sidecars and media facts of the settled files of an export. Nothing is written into the folder. */
export async function readEvidence(deps: Deps): Promise<ReadEvidence> {
  const { snapshot, rules } = deps;
  const recognised = recogniseExport(snapshot.settled);
  const problems: Failure[] = [];
  const sidecar = await readIncidentSidecar(deps, recognised, problems);
  const notes = await readOrReport(deps, recognised.notes, problems, readNotes);
  const clipSidecars = new Map<string, SidecarVideo>();
  for (const [clipPath, file] of recognised.clipSidecars) {
    const video = await readOrReport(deps, file, problems, (bytes, name) =>
      readClipSidecar(bytes, { name, timeZone: rules.watch.timeZone }),
    );
    if (video !== undefined) clipSidecars.set(clipPath, video);
  }
  const probes = await probeClips(deps, recognised.clips, problems);
  const evidence: ExportEvidence = {
    exportRef: snapshot.ref,
    recognised,
    clipSidecars,
    probes,
    watch: rules.watch,
    settledAtMs: deps.nowMs,
    unsettled: unsettledOf(snapshot.all, snapshot.settled),
    ...(snapshot.litter === undefined ? {} : { litter: snapshot.litter }),
    seenAtMs: firstSeen(snapshot),
    ...(rules.lists === undefined ? {} : { lists: rules.lists }),
    ...(sidecar === undefined ? {} : { sidecar }),
    ...(notes === undefined ? {} : { notes }),
    ...(rules.overrides === undefined ? {} : { overrides: rules.overrides }),
  };
  return { evidence, problems: problems };
}

function firstSeen({ settled }: ExportSnapshot): ReadonlyMap<string, number> {
  const times = settled.flatMap(({ path, seenAtMs }) =>
    seenAtMs === undefined ? [] : [[path, seenAtMs] as const],
  );
  return new Map(times);
}

function exportFolder(snapshot: ExportSnapshot): string {
  return join(snapshot.ref.rootPath, folderOfExport(snapshot.ref));
}

/** Reads a file whole, or up to one byte more than `mostBytes`. Errors: those of `openFile`. */
export async function readSmallFile(
  deps: Pick<Deps, 'snapshot' | 'gate' | 'signal'>,
  file: FileSeen,
  mostBytes: number = MAX_SIDECAR_BYTES,
): Promise<Result<Uint8Array, Failure>> {
  const path = join(exportFolder(deps.snapshot), file.path);
  return deps.gate.run(async () => {
    const opened = await openFile(path, undefined, deps.snapshot.ref.rootPath, file.path);
    if (!opened.ok) return opened;
    // One byte more than allowed tells a file that is too large from one that just fits.
    const length = Math.min(opened.value.version.sizeBytes, mostBytes + 1);
    const bytes = new Uint8Array(length);
    const read = await opened.value.readExactly(bytes, length, 0);
    await opened.value.close();
    return read.ok ? ok(bytes) : read;
  }, deps.signal);
}

/**
 * Throws when the export should be handed over again: what a share withholds for a while must not be missing from the
 * record for good. Only a file that alone cannot be read for long is left out.
 */
async function waitUnlessAlone(
  { gate, snapshot, probe, signal }: Deps,
  file: FileSeen,
  failure: Failure,
): Promise<void> {
  // A preview shows what can be read
  if (probe === undefined) return;
  const path = join(exportFolder(snapshot), file.path);
  const place = { rootPath: snapshot.ref.rootPath, path, isFolderGone: false };
  const judged = await judgeFileFailure(gate, place, failure, signal);
  if (isFileWaitedFor(judged.code) && gate.aloneForMs(path) < LONGEST_WAIT_MS) throw new FailureError(judged);
}

/** The bytes of a sidecar; undefined for one that cannot be read now and is left out. */
async function bytesOf(deps: Deps, file: FileSeen, problems: Failure[]): Promise<Uint8Array | undefined> {
  const bytes = await readSmallFile(deps, file);
  if (bytes.ok) return bytes.value;
  await waitUnlessAlone(deps, file, bytes.error);
  problems.push(bytes.error);
  return undefined;
}

/** The content of a sidecar; one that is refused is reported, and has none. */
async function readOrReport<T>(
  deps: Deps,
  file: FileSeen | undefined,
  problems: Failure[],
  read: (bytes: Uint8Array, name: string) => Result<T, Failure>,
): Promise<T | undefined> {
  const bytes = file && (await bytesOf(deps, file, problems));
  if (file === undefined || bytes === undefined) return undefined;
  const result = read(bytes, file.path);
  if (result.ok) return result.value;
  problems.push(result.error);
  return undefined;
}

/** `incident.json`, or else the table of the same name. `videos.csv` adds the clips that it does not name. */
async function readIncidentSidecar(
  deps: Deps,
  { sidecar: file, incidentTable, videosTable }: RecognisedExport,
  problems: Failure[],
): Promise<Sidecar | undefined> {
  const { timeZone } = deps.rules.watch;
  const present = new Set(deps.snapshot.all.map(({ path }) => path));
  const primary = await readOrReport(deps, file ?? incidentTable, problems, (bytes, name) => {
    if (file !== undefined) return readSidecar(bytes, { name, timeZone });
    const fields = readIncidentTable(bytes, name);
    return fields.ok ? sidecarOf(fields.value, { name, timeZone }) : fields;
  });
  const listed = await readOrReport(deps, videosTable, problems, (bytes, name) => {
    const videos = readVideosTable(bytes, name);
    return videos.ok
      ? sidecarOf({ videos: videos.value }, { name, timeZone: primary?.timeZone ?? timeZone })
      : videos;
  });
  const sidecar = primary ?? listed;
  if (sidecar === undefined) return undefined;
  const own = withFiles(primary?.videos ?? [], present);
  const named = new Set(own.map((video) => video.file));
  const others = withFiles(listed?.videos ?? [], present);
  return { ...sidecar, videos: [...own, ...others.filter((video) => !named.has(video.file))] };
}

/** What sidecars say of clips, with the paths of the files that are meant. */
function withFiles(videos: readonly SidecarVideo[], present: ReadonlySet<string>): readonly SidecarVideo[] {
  const names = videos.flatMap(({ file, thumbnail }) =>
    [file, thumbnail].filter((name) => name !== undefined),
  );
  const fileNamed = createFileFinder(present, names);
  return videos.map((video) => ({
    ...video,
    ...(video.file !== undefined && { file: fileNamed(video.file) }),
    ...(video.thumbnail !== undefined && { thumbnail: fileNamed(video.thumbnail) }),
  }));
}

/** A clip that cannot be probed is queued without its duration: nothing about it is guessed. */
async function probeClips(
  deps: Deps,
  clips: readonly ClipFile[],
  problems: Failure[],
): Promise<ReadonlyMap<string, MediaFacts>> {
  const facts = new Map(deps.knownFacts);
  const { probe, mostProbed = Infinity } = deps;
  if (probe === undefined) return facts;
  for (const clip of clips) {
    if (facts.has(clip.path) || clip.needsVendorPlayer) continue;
    if (facts.size >= mostProbed) break;
    facts.set(clip.path, await probeClip({ ...deps, probe }, clip, problems));
  }
  return facts;
}

/**
 * The facts that the container's own boxes state, such as an ONVIF start time, and those that the media probe finds.
 */
async function probeClip(
  deps: Deps & { readonly probe: MediaProbe },
  clip: ClipFile,
  problems: Failure[],
): Promise<MediaFacts> {
  const isOther = isParsedContainer(clip.container) && clip.facts?.durationMs === undefined;
  if (clip.facts !== undefined && !isOther) return clip.facts;
  const path = join(exportFolder(deps.snapshot), clip.path);
  const check = await createClipCheck(deps.gate, deps.snapshot.ref.rootPath)(path, clip);
  if (check.kind === 'unknown-format' && isParsedContainer(clip.container))
    problems.push(otherContent(clip.path));
  if (check.kind === 'unreadable') await waitUnlessAlone(deps, clip, check.failure);
  const facts = factsOf(check);
  if (facts !== undefined) return facts;
  // The probe finds what the boxes do not state: other containers, fragments.
  const stated = statedFacts(check);
  const probed = await deps.gate.run(
    () => deps.probe.probe(path, deps.signal, deps.snapshot.ref.rootPath),
    deps.signal,
  );
  if (!probed.ok) await waitUnlessAlone(deps, clip, probed.error);
  return { ...stated, ...(probed.ok ? probed.value : {}) };
}

function otherContent(path: string): Failure {
  return {
    code: 'FILE_TYPE_MISMATCH',
    message: `Wrong file type: "${visibleName(path)}" is not what its name suggests. It is sent as is.`,
    advice: 'Check the file before you rely on it.',
    retryable: false,
  };
}

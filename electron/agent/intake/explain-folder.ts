import { join } from 'node:path';
import { fs } from '../files/plain-fs.ts';
import type { ExplainedReading, Explanation } from '../../../shared/domain/explanation.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { AccountedFile } from '../../../shared/domain/file-account.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { countClasses } from '../../../shared/domain/file-account.ts';
import { accountedFiles } from '../core/naming/account-files.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import { explainExport, type StoredReadings } from '../core/naming/explain-export.ts';
import type { ExportEvidence } from '../core/naming/described-export.ts';
import { createSiteRules, noSiteRules } from '../core/naming/recognisers.ts';
import { baseName, fileKindOf } from '../core/naming/file-kinds.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import { asEvidence, folderOfExport, type FileSeen } from '../core/settle/file-seen.ts';
import { fileIncomplete } from '../files/file-failures.ts';
import { createClipCheck, createClosedCheck, factsOf } from '../files/containers/check-clip.ts';
import { createMediaProbe, type MediaProbe } from '../files/containers/media-probe.ts';
import { createRootGates } from '../files/root-gate.ts';
import { findRoots, pushPlace, type WatchedRoot } from '../files/watched-root.ts';
import type { Ports } from '../ports.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { parseOrigins } from '../store/json-columns.ts';
import { DATABASE_FILE, openDbForReading, type ReadDb } from '../store/open-db.ts';
import { createStoredReads, type StoredClipRow, type StoredIncidentRow } from '../store/status-reads.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { Tables } from '../store/tables.ts';
import { queuedEvidence } from './apply-cameras.ts';
import { inTime, lookInto, type LookDeps } from './preview-export.ts';

/** Most clips that are opened and explained; a person reads no more. */
const MOST_CLIPS = 500;
/** Most files that are listed; all are counted. */
const MOST_FILES = 5_000;
/** How long it may take, milliseconds: clips are opened one after the other, possibly on a share. */
const DEADLINE_MS = 120_000;

interface Deps extends LookDeps {
  /** Missing: nothing was ever queued here. */
  readonly db?: Pick<ReadDb, 'prepare'>;
  readonly probe: MediaProbe;
}

interface ExplainDeps extends Pick<LookDeps, 'clock' | 'roots' | 'site'> {
  readonly tables: Pick<Tables, 'clips'>;
}

/**
 * Explains why a folder is read as it is, and what the queue has where that differs: what was sent, or what a person
 * wrote. Clips are opened; nothing is stored or written. `folder` is a real path. Errors: ROOT_MISSING, ROOT_HUNG,
 * ROOT_OFFLINE.
 */
export const explainFolder = (
  deps: Deps,
  folder: string,
  signal: AbortSignal,
): Promise<Result<Explanation, Failure>> =>
  inTime(deps.clock, folder, DEADLINE_MS, (until) => explain(deps, folder, until), signal);

async function explain(
  deps: Deps,
  folder: string,
  signal: AbortSignal,
): Promise<Result<Explanation, Failure>> {
  const { rootPath, exportPath } = pushPlace(deps.roots, folder);
  const reads = deps.db && createStoredReads(deps.db);
  const known = reads?.incident(rootPath, exportPath);
  const rows = known && reads ? reads.clips(known.id) : [];
  const cut = new Map<string, Failure>();
  const open = createOpening(deps, new Set(rows.map(({ path }) => path)), cut);
  const looked = await lookInto(deps, folder, { probe: deps.probe, mostProbed: MOST_CLIPS, open }, signal);
  if (!looked.ok) return looked;
  const { evidence, problems, leftOut, isCut } = looked.value;
  const stored = known && storedReadings(known, rows);
  const described = describeExport(evidence);
  const { incident, clips } = explainExport(evidence, described, stored);
  const accounts = accountedFiles(evidence).map((file) => (cut.has(file.path) ? waiting(file) : file));
  const files = await reportClosed(accounts, deps, evidence, signal);
  return ok({
    folder,
    ...(known && { knownAs: { incidentId: known.id, title: known.title } }),
    counts: countClasses(files),
    files: files.slice(0, MOST_FILES),
    incident,
    clips: clips.slice(0, MOST_CLIPS),
    warnings: [
      ...leftOut,
      ...[...cut].map(([file, failure]) => ({ ...failure, file })),
      ...problems,
      ...described.warnings,
    ].map(noteOf),
    isCut: isCut || clips.length > MOST_CLIPS || files.length > MOST_FILES,
  });
}

/**
 * `explainFolder` for an incident without its own folder, from its clips in the queue: a loose clip, or clips of
 * several folders. Other files beside them are ignored.
 */
export function explainQueued(
  { clock, roots, site = noSiteRules, tables }: ExplainDeps,
  incident: IncidentRow,
): Explanation {
  const rows = tables.clips.ofIncident(incident.id);
  const evidence = queuedEvidence({ clock, roots, site }, incident, rows);
  const described = describeExport(evidence);
  const stored = storedReadings(incident, rows);
  const { incident: values, clips } = explainExport(evidence, described, stored);
  const files = accountedFiles(evidence);
  return {
    folder: join(incident.rootPath, incident.exportPath),
    knownAs: { incidentId: incident.id, title: incident.title },
    counts: countClasses(files),
    files: files.slice(0, MOST_FILES),
    incident: values,
    clips: clips.slice(0, MOST_CLIPS),
    warnings: described.warnings.map(noteOf),
    isCut: clips.length > MOST_CLIPS,
  };
}

/**
 * Opens possible clips as the watch does once they are quiet: first bytes override names. `cut` gets incomplete clips.
 */
function createOpening(
  { gates }: Deps,
  queued: ReadonlySet<string>,
  cut: Map<string, Failure>,
): NonNullable<Parameters<typeof lookInto>[2]['open']> {
  return async (ref, files, signal) => {
    const check = createClipCheck(gates.of(ref.rootPath), ref.rootPath);
    const taken: FileSeen[] = [];
    let opened = 0;
    for (const file of files) {
      const { kind } = fileKindOf(baseName(file.path));
      const isOpened = (kind === 'clip' || kind === 'unknown') && (opened += 1) <= MOST_CLIPS;
      signal.throwIfAborted();
      const found = isOpened
        ? await check(join(ref.rootPath, folderOfExport(ref), file.path), file)
        : undefined;
      if (found?.kind === 'incomplete') cut.set(file.path, fileIncomplete(file.path, found.reason));
      const content = found?.kind === 'unreadable' ? undefined : found?.content;
      const facts = found && factsOf(found);
      const known = { ...file, ...(content && { content }), ...(facts && { facts }) };
      // It was sent by a person or the settings, whatever it is
      taken.push(queued.has(file.path) && !isClipFile(known) ? asEvidence(known, true) : known);
    }
    return taken;
  };
}

const waiting = (file: AccountedFile): AccountedFile => ({
  ...file,
  class: 'waiting',
  why: 'still being written, or cut off before its end',
});

/** Notes which clips would be queued after a few seconds of quiet, because their container proves them closed. */
async function reportClosed(
  files: readonly AccountedFile[],
  { gates }: Deps,
  { exportRef, recognised }: ExportEvidence,
  signal: AbortSignal,
): Promise<readonly AccountedFile[]> {
  const isClosed = createClosedCheck(gates.of(exportRef.rootPath), exportRef.rootPath, () => true);
  const closed = new Set<string>();
  for (const clip of recognised.clips.slice(0, MOST_CLIPS)) {
    signal.throwIfAborted();
    const path = join(exportRef.rootPath, folderOfExport(exportRef), clip.path);
    if (await isClosed(path, clip)) closed.add(clip.path);
  }
  return files.map((file) => (closed.has(file.path) ? { ...file, why: `${file.why}; ${CLOSED}` } : file));
}

const CLOSED =
  'its container shows that it is finished, so 5 s without changes is usually enough to queue it';

const noteOf = ({
  code,
  message,
  file,
}: {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
}): Explanation['warnings'][number] => ({ code, message, ...(file !== undefined && { file }) });

type StoredIncidentField = 'title' | 'description' | 'incidentAt' | 'latitude' | 'longitude' | 'sources';
type StoredClipField =
  | 'path'
  | 'sources'
  | 'cameraName'
  | 'cameraId'
  | 'cameraDescription'
  | 'cameraLatitude'
  | 'cameraLongitude'
  | 'startedAt'
  | 'endedAt';

function storedReadings(
  incident: Pick<StoredIncidentRow, StoredIncidentField>,
  clips: readonly Pick<StoredClipRow, StoredClipField>[],
): StoredReadings {
  const { title, description, incidentAt, latitude, longitude } = incident;
  return {
    incident: readings(incident.sources, {
      title,
      description,
      incidentAt: timeOf(incidentAt),
      position: placeOf(latitude, longitude),
    }),
    clips: new Map(
      clips.map((clip) => [
        clip.path,
        readings(clip.sources, {
          cameraName: clip.cameraName,
          cameraId: clip.cameraId,
          cameraDescription: clip.cameraDescription,
          cameraPosition: placeOf(clip.cameraLatitude, clip.cameraLongitude),
          startedAt: timeOf(clip.startedAt),
          endedAt: timeOf(clip.endedAt),
        }),
      ]),
    ),
  };
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const placeOf = (latitude: number | null, longitude: number | null): string | null =>
  latitude === null && longitude === null ? null : `${latitude ?? '?'}, ${longitude ?? '?'}`;

/** Names of a row's origin columns, where they differ from the field's name. */
const originNames: Readonly<Record<string, string>> = {
  position: 'latitude',
  cameraPosition: 'cameraLatitude',
};

function readings(
  sources: string,
  values: Readonly<Record<string, string | null>>,
): StoredReadings['incident'] {
  const origins = parseOrigins(sources);
  const known = Object.entries(values).flatMap(([field, value]): [string, ExplainedReading][] => {
    if (value === null) return [];
    const origin = origins[originNames[field] ?? field] ?? { source: 'generated', confidence: 'low' };
    return [[field, { value, ...origin }]];
  });
  return Object.fromEntries(known);
}

/**
 * `explainFolder` for a data directory and settings, whether or not an agent is running on them. Errors: also those of
 * `openDbForReading`, and ROOT_FORBIDDEN and similar ones for the watched folders.
 */
export async function explainForDesk(
  { settings, dataDir }: Pick<AgentConfig, 'settings' | 'dataDir'>,
  { clock, logger }: Pick<Ports, 'clock' | 'logger'>,
  folder: string,
  signal: AbortSignal,
): Promise<Result<Explanation, Failure>> {
  const roots = await rootsOf(settings, dataDir, clock);
  if (!roots.ok) return roots;
  const file = join(dataDir, DATABASE_FILE);
  const opened = fs.existsSync(file) ? openDbForReading(file) : undefined;
  if (opened?.ok === false) return opened;
  const gates = createRootGates(clock);
  const probe = createMediaProbe(clock, logger);
  try {
    const site = createSiteRules(settings);
    const deps = { clock, gates, roots: roots.value, site, probe, ...(opened && { db: opened.value }) };
    return await explainFolder(deps, folder, signal);
  } finally {
    await probe.stop();
    gates.closeAll();
    opened?.value.close();
  }
}

async function rootsOf(
  { watch }: AgentConfig['settings'],
  dataDir: string,
  clock: Ports['clock'],
): Promise<Result<readonly WatchedRoot[], Failure>> {
  try {
    return ok(await findRoots(watch, dataDir, clock));
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fs, fsPromises } from '../files/plain-fs.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import type { FolderList, incidentCalls } from '../../../shared/ipc/calls/incidents.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { noSiteRules, type SiteRules } from '../core/naming/recognisers.ts';
import { isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import { createBrowseGate, type BrowseGate, findFolder, folderFailureOf } from '../files/find-folder.ts';
import { readEntries } from '../files/read-entries.ts';
import { createRootGate, type RootGate, type RootGates } from '../files/root-gate.ts';
import { pushPlace, type PushRequest, type WatchedRoot } from '../files/watched-root.ts';
import { applyToIncident } from '../intake/apply-cameras.ts';
import { checkFolder, checkPush, previewUnits } from '../intake/preview-units.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import { explainFolder, explainQueued } from '../intake/explain-folder.ts';
import { previewExport } from '../intake/preview-export.ts';
import type { Clock } from '../ports.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import { unknownId } from '../queue/retry-clips.ts';
import { editIncident } from '../record/edit-incident.ts';
import type { ReadDb } from '../store/open-db.ts';
import type { Tables } from '../store/tables.ts';
import type { Calls } from './call.ts';

/** Most folders in one response: nobody chooses from more. */
const MOST_FOLDERS = 1_000;
/** Time limit for reading the permissions of one folder, milliseconds: a person waits for the list. */
const RIGHTS_DEADLINE_MS = 2_000;

interface Deps {
  readonly tables: Tables;
  readonly db: Pick<ReadDb, 'prepare'>;
  readonly queue: IncidentQueue;
  readonly clock: Clock;
  readonly gates: RootGates;
  readonly deskId: DeskId;
  readonly probe: MediaProbe;
  readonly dataDir: string;
  readonly roots: readonly WatchedRoot[];
  readonly site?: SiteRules;
  /** `Agent.push`. */
  readonly push: (requests: readonly PushRequest[]) => void;
  /** Called when jobs may have become due. */
  readonly wakeQueue: () => void;
  /** Aborted when the agent stops. */
  readonly stopping: AbortSignal;
}

/** Creates the calls that edit incidents, make new ones from folders, and list folders to choose from. */
export function createIncidentCalls(deps: Deps): Calls<keyof typeof incidentCalls> {
  const { clock, roots, stopping } = deps;
  const gate = createBrowseGate(clock, stopping);
  const childGate = createRootGate({ clock, rootPath: '', deadlineMs: RIGHTS_DEADLINE_MS });
  stopping.addEventListener('abort', () => childGate.close(), { once: true });
  const checks = { gate, roots, dataDir: deps.dataDir };
  const places = [...roots.map(({ realPath }) => dirname(realPath)), homedir()];

  return {
    'incidents.edit': {
      handle({ incidentId, changes }) {
        const edited = editIncident(deps, incidentId, changes);
        // Its PUT may be due now
        if (edited.ok) deps.wakeQueue();
        return edited;
      },
      audit: { asked: ({ incidentId, changes }) => ({ incidentId, fields: Object.keys(changes) }) },
      changes: ['uploads', 'health'],
    },
    'incidents.applyCameras': {
      handle({ incidentId }) {
        if (deps.tables.incidents.byId(incidentId) === undefined) return err(unknownId(incidentId));
        const changed = applyToIncident({ ...deps, site: deps.site ?? noSiteRules }, incidentId, 'all');
        if (changed > 0) deps.wakeQueue();
        return ok({ changed });
      },
      audit: { asked: ({ incidentId }) => ({ incidentId }) },
      changes: ['uploads', 'health'],
    },
    'exports.preview': {
      async handle({ folder }, signal) {
        const checked = await checkFolder(checks, folder, signal);
        return checked.ok ? previewExport(deps, checked.value, signal) : checked;
      },
    },
    'exports.previewUnits': { handle: (question, signal) => previewUnits(deps, question, signal) },
    'exports.explain': {
      async handle({ incidentId }, signal) {
        const row = deps.tables.incidents.byId(incidentId);
        if (row === undefined) return err(unknownId(incidentId));
        if (row.folder !== row.exportPath) return ok(explainQueued(deps, row));
        const checked = await checkFolder(checks, join(row.rootPath, row.exportPath), signal);
        return checked.ok ? explainFolder(deps, checked.value, signal) : checked;
      },
    },
    'exports.push': {
      async handle({ folders, ...details }, signal) {
        const checked = await checkPush(checks, folders, signal, details.loose);
        if (!checked.ok) return checked;
        const isAllowed = (folder: string): boolean =>
          pushPlace(roots, folder).settings.alsoSend.includes('selfPlaying');
        if ((details.programs ?? []).length > 0 && !checked.value.every(isAllowed)) return err(noPrograms);
        deps.push(checked.value.map((folder) => ({ folder, ...details })));
        return ok({ folders: checked.value });
      },
      audit: {
        asked: ({ folders, asEvidence = false, loose = false, programs = [] }) => ({
          folders: folders.length,
          ...(asEvidence && { asEvidence }),
          ...(loose && { loose }),
          ...(programs.length > 0 && { programs }),
        }),
      },
    },
    'folders.list': { handle: ({ path }, signal) => listFolders({ gate, childGate, places }, path, signal) },
  };
}

interface ListingDeps {
  /** Gate for the folder that is listed. */
  readonly gate: BrowseGate;
  /** Gate for the folders in it: one on a dead share must not keep the others from being listed. */
  readonly childGate: Pick<RootGate, 'run'>;
  /** Where browsing starts, in order. */
  readonly places: readonly string[];
}

/**
 * Lists a folder's child folders by name, or the places where browsing starts. Links are neither listed nor followed,
 * hidden folders are left out, and no file is opened. Errors: those of `findFolder`.
 */
export async function listFolders(
  deps: ListingDeps,
  path: string | undefined,
  signal: AbortSignal,
): Promise<Result<FolderList, Failure>> {
  if (path === undefined) return ok(await startingPlaces(deps, signal));
  const found = await findFolder(deps.gate, path, signal);
  if (!found.ok) return found;
  const { realPath, stats } = found.value;
  const names = await childNames(deps.gate, realPath, stats.size, signal);
  if (!names.ok) return names;
  const { folders, isEmpty } = names.value;
  const listed = folders.slice(0, MOST_FOLDERS).map((name) => ({ name, path: join(realPath, name) }));
  const parent = dirname(realPath);
  return ok({
    folder: realPath,
    ...(parent === realPath ? {} : { parent }),
    folders: await withReadable(deps.childGate, listed, signal),
    isCut: folders.length > MOST_FOLDERS,
    ...(isEmpty && { isEmpty }),
  });
}

async function startingPlaces(
  { gate, childGate, places }: ListingDeps,
  signal: AbortSignal,
): Promise<FolderList> {
  const found = await Promise.all(places.map((place) => findFolder(gate, place, signal)));
  const real = new Set(found.flatMap((each) => (each.ok ? [each.value.realPath] : [])));
  const listed = [...real].map((path) => ({ name: basename(path) || path, path }));
  return { folders: await withReadable(childGate, listed, signal), isCut: false };
}

async function childNames(
  gate: BrowseGate,
  path: string,
  folderBytes: bigint,
  signal: AbortSignal,
): Promise<Result<{ readonly folders: readonly string[]; readonly isEmpty: boolean }, Failure>> {
  try {
    const { entries, unreadable } = await readEntries(gate, path, folderBytes, signal);
    const folders = entries.filter(({ kind, name }) => kind === 'directory' && !isIgnoredFolderName(name));
    const byName = new Intl.Collator('en', { numeric: true });
    return ok({
      folders: folders.map(({ name }) => name).toSorted((one, other) => byName.compare(one, other)),
      isEmpty: entries.length + unreadable.length === 0,
    });
  } catch (error) {
    signal.throwIfAborted();
    const failure = folderFailureOf(error, path, gate.deadlineMs);
    if (failure === undefined) throw error;
    return err(failure);
  }
}

type Folder = FolderList['folders'][number];

function withReadable(
  gate: ListingDeps['childGate'],
  listed: readonly Folder[],
  signal: AbortSignal,
): Promise<readonly Folder[]> {
  return Promise.all(
    listed.map(async (folder) => ({ ...folder, ...(await readRights(gate, folder.path, signal)) })),
  );
}

async function readRights(
  gate: ListingDeps['childGate'],
  path: string,
  signal: AbortSignal,
): Promise<Pick<Folder, 'isReadable'>> {
  try {
    await gate.run(() => fsPromises.access(path, fs.constants.R_OK | fs.constants.X_OK), signal);
    return { isReadable: true };
  } catch (error) {
    signal.throwIfAborted();
    // This folder or another one hangs: its permissions are unknown
    return error instanceof FailureError ? {} : { isReadable: false };
  }
}

const noPrograms: Failure = {
  code: 'CALL_INPUT',
  message: 'The settings of this folder do not allow programs to be sent.',
  advice: 'Allow self-playing video programs in Settings, Watched folders, then confirm the program again.',
  retryable: false,
};

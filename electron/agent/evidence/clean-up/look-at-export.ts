import { join } from 'node:path';
import type { Failure } from '../../../../shared/domain/failure.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import type { WireIncident } from '../../../../shared/service/incident.ts';
import type { FileSum } from '../../files/file-sum.ts';
import { fileKindOf, stemPath, baseName, folderOf } from '../../core/naming/file-kinds.ts';
import { differenceOf } from '../../files/opened-file.ts';
import { readEntries, statOf } from '../../files/read-entries.ts';
import type { RootGate, RootGates } from '../../files/root-gate.ts';
import type { CleanUpPolicy } from '../../settings/policy/policy.ts';
import { sha256Of } from '../../store/audit-rows.ts';
import type { IncidentRow } from '../../store/incident-rows.ts';
import { parseFiles } from '../../store/json-columns.ts';
import type { Tables } from '../../store/tables.ts';
import { compareStored } from '../proof.ts';
import { createExportDisk, targetProblem } from './export-disk.ts';
import type { ExportFile, Obstacle } from './remove-export.ts';

/** Dependencies of a check. */
export interface LookDeps {
  readonly policy: CleanUpPolicy | undefined;
  readonly settings: Pick<Settings, 'siteId' | 'watch'>;
  readonly dataDir: string;
  readonly tables: Tables;
  readonly gates: RootGates;
  readonly fileSum: FileSum;
  readonly api: {
    get(incidentId: string, signal: AbortSignal): Promise<Result<WireIncident, Failure>>;
  };
}

/** The files of a folder, as paths inside the root, keyed by their path both with and without its extension. */
type Names = ReadonlyMap<string, readonly string[]>;
/** Folders of loose clips that one pass has listed, by path: a root may hold 100,000 clips. */
export type ListedFolders = Map<string, Names>;

/** Result of a check: everything that must be the same next time. `sent`: SHA-256 by path. */
export interface Look {
  readonly files: readonly ExportFile[];
  readonly sent: ReadonlyMap<string, string>;
  readonly print: string;
}

/** Why nothing in this root may be touched now: it was replaced or waits for an answer, or the destination is wrong. */
export async function placeProblem(
  { tables, gates, settings, dataDir }: LookDeps,
  { action, folder }: Pick<CleanUpPolicy, 'action'> & { readonly folder?: string | undefined },
  { rootId, rootPath }: IncidentRow,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!settings.watch.some(({ path }) => path === rootPath)) return 'its folder is no longer watched';
  const gate = gates.of(rootPath);
  const problem = gate.problem();
  if (problem !== undefined) return problem.message.replace(/\.$/, '');
  const known = tables.roots.byId(rootId);
  if (known === undefined || known.askedAt !== null) return 'the watched folder was replaced';
  const stats = await statOf(gate, rootPath, signal);
  if (stats === undefined) return 'the watched folder is missing';
  if (!stats.isDirectory() || String(stats.dev) !== known.device || String(stats.ino) !== known.inode)
    return 'the watched folder was replaced';
  if (action === 'delete') return undefined;
  if (folder === undefined) return 'no destination folder is set for moved exports';
  return targetProblem(folder, [dataDir, ...settings.watch.map(({ path }) => path)]);
}

/** Compares the queue, the service and the folder with one another. */
export async function lookOnce(
  deps: LookDeps,
  incident: IncidentRow,
  policy: CleanUpPolicy,
  folders: ListedFolders,
  signal: AbortSignal,
): Promise<Result<Look, Obstacle>> {
  const { tables } = deps;
  const { action } = policy;
  const doubt = (reason: string, waits = false): Result<never, Obstacle> => err({ reason, waits });
  const problem = await placeProblem(deps, policy, incident, signal);
  if (problem !== undefined) return doubt(problem);
  if (tables.seenExports.one(incident.rootId, incident.exportPath) !== undefined)
    return doubt('something in it is not in the queue');
  const clips = tables.clips.ofIncident(incident.id);
  const unproven = clips.find(
    ({ state, sha256, storageKey, altered, expectedSha256 }) =>
      state !== 'uploaded' ||
      sha256 === null ||
      storageKey === null ||
      altered !== null ||
      (expectedSha256 !== null && expectedSha256 !== sha256),
  );
  if (unproven !== undefined) return doubt(`it is not certain that ${unproven.path} was sent intact`);
  const { counts } = parseFiles(incident.files) ?? {};
  if (counts === undefined) return doubt('it was queued by an earlier version of the agent');
  if ((counts.unknown ?? 0) > 0) return doubt('it contains files that are not recognised; check the folder');
  if ((counts.waiting ?? 0) > 0) return doubt('some of its files were still waiting when it was last read');
  const sent = sentOf(tables, clips);
  const { rootId, rootPath, folder } = incident;
  const loose = folder === '' ? await looseFiles(deps.gates, rootPath, sent, folders, signal) : undefined;
  const disk = createExportDisk({ ...deps, signal }, { rootPath, folder, loose });
  const listed = await disk.list('export');
  if (!listed.ok) return err(listed.error);
  if (listed.value === undefined) return doubt('the folder is gone', true);
  const { files } = listed.value;
  const counted = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (files.length !== counted)
    return doubt(`the number of its files changed from ${counted} to ${files.length}`);
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const [path, { version }] of sent) {
    const file = byPath.get(path);
    if (file === undefined) return doubt(`${path} is no longer in it`);
    const change = differenceOf(version, file);
    if (change !== undefined) return doubt(`${path} ${change}`);
  }
  const unsent = files.find(({ path }) => !sent.has(path));
  const stranger = loose && files.find(({ path }) => !sent.has(path) && !isCompanionOf(tables, rootId, path));
  if (stranger !== undefined)
    return doubt(`${stranger.path} has the name of one of its clips but is not part of it`);
  if (action === 'delete' && unsent !== undefined) return doubt(`${unsent.path} was not sent`);
  const stored = await compareStored(tables, incident.id, (id) => deps.api.get(id, signal));
  if (!stored.ok) return doubt(stored.error.message, true);
  const { differences, agreeing, others } = stored.value;
  if (differences[0] !== undefined) return doubt(differences[0].replace(/\.$/, ''));
  if (agreeing !== clips.length || others > 0)
    return doubt('the service lists clips that this desk did not send');
  const facts = clips.map(({ id, path, sizeBytes, sha256, storageKey }) => [
    id,
    path,
    sizeBytes,
    sha256,
    storageKey,
  ]);
  const sums = new Map([...sent].map(([path, { sha256 }]) => [path, sha256]));
  return ok({ files, sent: sums, print: sha256Of(JSON.stringify([action, facts, files])) });
}

/**
 * The files that were sent, and every file with the same name but another extension: those that intake assigns to them.
 */
async function looseFiles(
  gates: RootGates,
  rootPath: string,
  sent: ReadonlyMap<string, unknown>,
  folders: ListedFolders,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = new Set(sent.keys());
  for (const path of sent.keys()) {
    const folder = folderOf(path);
    const place = join(rootPath, folder);
    const names = folders.get(place) ?? (await namesIn(gates.of(rootPath), place, folder, signal));
    folders.set(place, names);
    for (const stem of [path, stemPath(path)]) for (const each of names.get(stem) ?? []) found.add(each);
  }
  return [...found];
}

async function namesIn(gate: RootGate, place: string, folder: string, signal: AbortSignal): Promise<Names> {
  const stats = await statOf(gate, place, signal);
  if (stats === undefined) return new Map();
  const { entries } = await readEntries(gate, place, stats.size, signal);
  const paths = entries.filter(({ kind }) => kind !== 'directory').map(({ name }) => folder + name);
  const names = new Map<string, string[]>();
  for (const path of paths)
    for (const key of new Set([path, stemPath(path)])) names.set(key, [...(names.get(key) ?? []), path]);
  return names;
}

/** Whether a file beside a loose clip is of a kind that belongs to clips, and is not an export itself. */
const isCompanionOf = (tables: Tables, rootId: string, path: string): boolean =>
  ['image', 'document', 'companion'].includes(fileKindOf(baseName(path)).kind) &&
  tables.incidents.inFolder(rootId, path) === undefined;

/** The newest version of each clip, and the images that were sent, by path. */
function sentOf(
  tables: Tables,
  clips: readonly (ExportFile & { readonly id: string; readonly sha256: string | null })[],
) {
  const sent = new Map<string, { readonly version: ExportFile; readonly sha256: string }>();
  for (const clip of clips) {
    // Clips are in order: the newest generation of a path comes last
    if (clip.sha256 !== null) sent.set(clip.path, { version: clip, sha256: clip.sha256 });
    const image = tables.thumbnails.byClip(clip.id);
    if (image?.state === 'uploaded' && image.origin === 'export' && image.sha256 !== null)
      sent.set(image.path, { version: image, sha256: image.sha256 });
  }
  return sent;
}

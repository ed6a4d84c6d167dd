import {
  isSameTime,
  type EqualClip,
  type EqualFacts,
  type JudgedFile,
  type Standing,
} from '../core/records/judge-equal.ts';
import {
  isRewritten,
  isSameFile,
  isSameVersion,
  type ExportRef,
  type ExportSnapshot,
  type FileSeen,
} from '../core/settle/file-seen.ts';
import { isHashedAtIntake } from '../core/settle/settle-rule.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { FileSum } from '../files/file-sum.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { WatchedRoot } from '../files/watched-root.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { SentRow, WaitingClip } from '../store/sent-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { RootTerms } from './check-root.ts';
import { isSameClip } from './store-clip.ts';

/** Dependencies of the search for equal files. */
export interface EqualDeps {
  readonly tables: Tables;
  readonly gates: RootGates;
  readonly roots: readonly Pick<WatchedRoot, 'settings'>[];
  readonly fileSum: FileSum;
  readonly hashAtIntake: Settings['evidence']['hashAtIntake'];
}

/** The folder that is being taken in. */
export interface Folder {
  readonly snapshot: ExportSnapshot;
  readonly clips: readonly FileSeen[];
  readonly images: readonly FileSeen[];
  /** Its incident, if it already has one. */
  readonly existing: IncidentRow | undefined;
  /** The id that it has or would get. */
  readonly incidentId: string;
  /** The birth time used in that id, milliseconds since 1970. */
  readonly birthMs: number;
  readonly terms: RootTerms;
  /** Waiting clips elsewhere that some of its files equal, see `findWaiting`. */
  readonly waitsFor: ReadonlyMap<string, EqualClip>;
}

/** What was read from disk so far, so that the rest can be decided in one transaction. */
export interface ReadFromDisk {
  /** SHA-256 by path; null for a file that could not be read. */
  readonly sums: Map<string, string | null>;
  readonly standings: Map<string, Standing>;
  /** Files that changed meanwhile: the watch hands them over again. */
  readonly changed: Set<string>;
}

/** What is known by now, and what must be read from disk before a decision. */
export interface LookUp {
  readonly facts: EqualFacts;
  readonly toSum: readonly FileSeen[];
  /** New files that are hashed to compare them with what is sent; one that cannot be read goes without a sum. */
  readonly toHash: readonly FileSeen[];
  readonly toFind: readonly IncidentRow[];
}

/** Looks the folder's clips up in the queue. Synchronous, so that the same transaction can act on it. */
export function lookUpEqual(deps: EqualDeps, folder: Folder, disk: ReadFromDisk): LookUp {
  const { tables } = deps;
  const { snapshot, clips, existing } = folder;
  const toSum: FileSeen[] = [];
  const toFind = new Map<string, IncidentRow>();
  const incidents = new Map<string, IncidentRow | undefined>();
  const sizes = new Map<number, boolean>();
  const incidentOf = (id: string): IncidentRow | undefined => {
    if (!incidents.has(id)) incidents.set(id, tables.incidents.byId(id));
    return incidents.get(id);
  };
  const standing = (id: string): Standing => {
    const incident = incidentOf(id);
    const known = standingInQueue(deps, folder, incident);
    if (known !== undefined || incident === undefined) return known ?? 'stays';
    const found = disk.standings.get(placeOf(incident));
    if (found === undefined) toFind.set(incident.id, incident);
    return found ?? 'stays';
  };
  const isMeant = (id: string): boolean => {
    if (folder.terms.kind !== 'send' || id === existing?.id) return true;
    return (incidentOf(id)?.createdAt ?? 0) >= folder.terms.askedAt;
  };
  const known = knownSums(tables, folder);
  const hasSize = (sizeBytes: number): boolean => {
    if (!sizes.has(sizeBytes)) sizes.set(sizeBytes, tables.sent.hasSize(sizeBytes));
    return sizes.get(sizeBytes) ?? false;
  };
  const sentEqual = (file: FileSeen): readonly EqualClip[] => {
    const own = known(file);
    if (typeof own === 'object') return [sentClip(own)];
    if (!hasSize(file.sizeBytes)) return [];
    const sum = own ?? disk.sums.get(file.path);
    if (sum === undefined) toSum.push(file);
    return sum == null ? [] : tables.sent.equal(file.sizeBytes, sum).map(sentClip);
  };
  const sameFile = (file: FileSeen): readonly EqualClip[] =>
    tables.clips.ofFile(file).flatMap((row) => {
      const incident = incidentOf(row.incidentId);
      // A sent clip is hashed if its file may have been rewritten; a waiting one is read when it is sent
      const isDoubtful = row.state === 'uploaded' && !isSameClip(row, file);
      const isFile =
        incident !== undefined && !isDoubtful && isCreatedTogether(incident, snapshot.ref, existing);
      return isFile && standing(incident.id) !== 'stays' ? [queueClip(row)] : [];
    });
  const equalOf = (file: FileSeen): readonly EqualClip[] => {
    const same = sameFile(file).filter(({ incidentId }) => isMeant(incidentId));
    const all = same.length > 0 ? same : sentEqual(file);
    return all.filter(({ incidentId }) => isMeant(incidentId));
  };
  const waitsFor = (path: string): EqualClip | undefined => {
    const clip = folder.waitsFor.get(path);
    // A clip that was sent meanwhile is found by its sum
    return clip !== undefined && tables.clips.isAnyWaiting([clip.clipId]) ? clip : undefined;
  };
  const files: readonly JudgedFile[] = filesToJudge(tables, folder).map((file) => ({
    path: file.path,
    equal: equalOf(file),
    waitsFor: waitsFor(file.path),
  }));
  const matched = new Set(files.flatMap(({ equal }) => equal.map(({ incidentId }) => incidentId)));
  for (const id of matched) standing(id);
  const owners = existing === undefined ? [...matched] : [existing.id];
  toSum.push(...changedImages(tables, folder.images, owners).filter(({ path }) => !disk.sums.has(path)));
  const isWanted = ({ path, sizeBytes }: FileSeen): boolean =>
    isHashedAtIntake(deps.hashAtIntake, sizeBytes) && !disk.sums.has(path);
  const withoutEqual = new Set(
    files.flatMap(({ path, equal, waitsFor: other }) => (equal.length === 0 && !other ? [path] : [])),
  );
  const toHash = clips.filter((file) => withoutEqual.has(file.path) && isWanted(file));
  const facts: EqualFacts = {
    files,
    incidentId: existing?.id,
    present: new Set(clips.length === 0 ? [] : snapshot.all.map(({ path }) => path)),
    standing,
    isSameFolder: (id) => folder.birthMs > 0 && incidentOf(id)?.birthMs === folder.birthMs,
    sentCount: tables.sent.countOf,
  };
  return { facts, toSum, toHash, toFind: [...toFind.values()] };
}

const sentClip = ({ clipId, incidentId, path }: SentRow): EqualClip => ({
  clipId,
  incidentId,
  path,
  isSent: true,
});

export const queueClip = ({ id, incidentId, path, state }: WaitingClip): EqualClip => ({
  clipId: id,
  incidentId,
  path,
  isSent: state === 'uploaded',
});

/** All clips of a new folder; of a known one, those that differ from their newest version. */
function filesToJudge({ clips }: Tables, folder: Folder): readonly FileSeen[] {
  if (folder.existing === undefined) return folder.clips;
  const rows = new Map(clips.ofIncident(folder.existing.id).map((row) => [row.path, row]));
  return folder.clips.filter((file) => {
    const row = rows.get(file.path);
    return row === undefined || !isSameClip(row, file);
  });
}

/** Images that look changed and may be equal to one that was sent for a clip of these incidents. */
function changedImages(
  { thumbnails }: Pick<Tables, 'thumbnails'>,
  images: readonly FileSeen[],
  incidentIds: readonly string[],
): readonly FileSeen[] {
  if (images.length === 0) return [];
  const sent = incidentIds.flatMap(thumbnails.ofIncident).filter(({ sha256 }) => sha256 !== null);
  return images.filter(
    (image) =>
      sent.some(({ sizeBytes }) => sizeBytes === image.sizeBytes) &&
      !sent.some((row) => row.path === image.path && isSameVersion(row, image)),
  );
}

/** Whether both may be the same folder. A recreated folder is another one, even if it holds files of the old one. */
function isCreatedTogether(
  incident: IncidentRow,
  { birthMs }: ExportRef,
  existing: IncidentRow | undefined,
): boolean {
  return (
    incident.id === existing?.id || incident.birthMs === birthMs || incident.birthMs === 0 || birthMs === 0
  );
}

/**
 * Sums and sent clips that are known without reading: files of a copy by the version that was hashed, clips whose
 * incident left the database, and, where a person said that it is the same evidence, files of equal path, size and
 * time.
 */
function knownSums(
  { sent, kept }: Tables,
  { snapshot, existing, incidentId, terms }: Folder,
): (file: FileSeen) => string | SentRow | undefined {
  const { rootId, exportPath } = snapshot.ref;
  const copies = new Map(sent.copies(rootId, exportPath).map((file) => [file.path, file]));
  const trusted =
    terms.kind === 'adopt' ? new Map(sent.inFolder(exportPath).map((row) => [row.path, row])) : undefined;
  const pruned =
    existing === undefined
      ? new Map(sent.ofIncident(incidentId).map((row) => [row.path, row]))
      : new Map<string, SentRow>();
  const dealtWith = new Map(
    pruned.size === 0 ? [] : kept.clipsOf(incidentId).map((clip) => [clip.path, clip]),
  );
  const isRewrittenSince = (file: FileSeen): boolean => {
    const clip = dealtWith.get(file.path);
    return clip !== undefined && isRewritten(clip, file);
  };
  return (file) => {
    const former = pruned.get(file.path);
    if (former !== undefined && isSameVersion(former, file) && !isRewrittenSince(file)) return former;
    const copy = copies.get(file.path);
    if (copy !== undefined && isSameFile(copy, file)) return copy.sha256;
    const adopted = trusted?.get(file.path);
    if (adopted === undefined || adopted.sizeBytes !== file.sizeBytes) return undefined;
    return isSameTime(adopted.mtimeNs, file.mtimeNs) ? adopted : undefined;
  };
}

/** The standing of an incident by the queue alone; undefined: the disk must be checked. */
function standingInQueue(
  { roots }: EqualDeps,
  { snapshot: { ref }, existing }: Folder,
  incident: IncidentRow | undefined,
): Standing | undefined {
  if (incident === undefined) return 'stays';
  if (incident.id === existing?.id) return 'here';
  // A different folder of that name was here
  if (incident.rootId === ref.rootId && incident.exportPath === ref.exportPath) return 'left';
  if (!roots.some(({ settings }) => settings.path === incident.rootPath)) return 'left';
  return incident.folderGone === 1 ? 'left' : undefined;
}

/** The key of an incident's standing. */
export const placeOf = ({ id, rootPath, exportPath }: IncidentRow): string =>
  `${id}\n${rootPath}\n${exportPath}`;

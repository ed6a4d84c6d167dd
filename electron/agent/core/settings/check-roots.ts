import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';

/** A folder to watch, as found on disk. */
export interface RootFacts {
  /** Absolute path as configured. */
  readonly path: string;
  /** Path without links; undefined while the folder does not exist. */
  readonly realPath?: string;
  /** Whether the folder itself is a link or junction. */
  readonly isLink?: boolean;
}

/** What a folder is checked for. */
type Purpose = 'watched' | 'sent';

/** Places of this machine that are never watched or sent. */
export interface ForbiddenPlaces {
  readonly platform: 'posix' | 'win32';
  readonly dataDir: string;
  readonly homeDir: string;
}

/** System folders, forbidden along with everything inside. */
const systemTrees: Readonly<Record<ForbiddenPlaces['platform'], readonly string[]>> = {
  posix: '/bin /boot /dev /etc /lib /lib32 /lib64 /proc /sbin /sys /usr /System /Library'.split(' '),
  win32: ['\\windows', '\\program files', '\\program files (x86)', '\\programdata', '\\$recycle.bin'],
};
/** Only the folder itself is forbidden; folders inside, such as a mounted disk, are fine. */
const systemFolders: Readonly<Record<ForbiddenPlaces['platform'], readonly string[]>> = {
  posix: '/ /home /media /mnt /opt /root /run /srv /tmp /var /Users /Volumes /Applications'.split(' '),
  win32: ['\\users', '\\system volume information'],
};

/** Checks each folder on its own and against those before it. Returns one result per folder, in order. */
export function checkRoots(
  roots: readonly RootFacts[],
  places: ForbiddenPlaces,
): readonly Result<RootFacts, Failure>[] {
  return roots.map((root, index) => {
    const problem =
      linkProblem(root) ??
      placeProblem(root, places, 'watched') ??
      overlapProblem(root, roots.slice(0, index), places, 'watched');
    return problem === undefined ? ok(root) : err(problem);
  });
}

/**
 * The problem, if any, with a folder that is to be sent as one incident, by its real path. `others` are sent along with
 * it. `roots` are the real paths of the watched folders: a folder inside one may be sent, one that is or contains a
 * watched folder may not.
 */
export function checkPushed(
  { path, realPath }: Required<Pick<RootFacts, 'path' | 'realPath'>>,
  { others, roots }: { readonly others: readonly string[]; readonly roots: readonly string[] },
  places: ForbiddenPlaces,
): Failure | undefined {
  const beside = others.filter((other) => other !== realPath).map((other) => ({ path: other }));
  const problem =
    placeProblem({ path, realPath }, places, 'sent') ??
    overlapProblem({ path, realPath }, beside, places, 'sent');
  if (problem !== undefined) return problem;
  const root = roots.find((each) => isWithin(each, realPath, places.platform));
  return root === undefined ? undefined : holdsRoot(realPath, root);
}

const CHOOSE_EXPORT = 'Choose a folder that contains the clips of one incident.';

function holdsRoot(folder: string, root: string): Failure {
  return failure(
    'ROOT_OVERLAP',
    folder === root
      ? `The watched folder ${visibleName(folder)} cannot be sent as a single incident.`
      : `The folder ${visibleName(folder)} cannot be sent: it contains the watched folder ${visibleName(root)}.`,
    CHOOSE_EXPORT,
  );
}

function linkProblem(root: RootFacts): Failure | undefined {
  if (root.isLink !== true) return undefined;
  const target = root.realPath === undefined ? 'a place that does not exist' : visibleName(root.realPath);
  return failure(
    'ROOT_LINK',
    `The watched folder ${visibleName(root.path)} is a link to ${target}.`,
    'Set the path of the real folder in the settings.',
  );
}

function placeProblem(root: RootFacts, places: ForbiddenPlaces, purpose: Purpose): Failure | undefined {
  const reason = forbiddenReason(root.realPath ?? root.path, places);
  if (reason === undefined) return undefined;
  return failure(
    'ROOT_FORBIDDEN',
    `The folder ${visibleName(root.path)} cannot be ${purpose}: ${reason}.`,
    reason === NOT_FULL
      ? 'Enter the full path of the folder.'
      : purpose === 'watched'
        ? 'Choose a folder that contains only exports.'
        : CHOOSE_EXPORT,
  );
}

const NOT_FULL = 'it is not a full path';

function forbiddenReason(path: string, places: ForbiddenPlaces): string | undefined {
  const { platform } = places;
  const names = namesOf(path, platform);
  if (names === undefined) return NOT_FULL;
  const dataDir = namesOf(places.dataDir, platform);
  if (isSame(names, dataDir)) return "it is the agent's data directory";
  if (dataDir !== undefined && isInside(dataDir, names)) return "it contains the agent's data directory";
  if (dataDir !== undefined && isInside(names, dataDir)) return "it is inside the agent's data directory";
  if (isSame(names, namesOf(places.homeDir, platform))) return 'it is an entire home folder';
  if (isDriveRoot(path, platform, names))
    return /^[\\/]{2}/.test(path) ? 'it is an entire server' : 'it is an entire disk';
  const onDisk = platform === 'win32' ? names.slice(1) : names;
  const place = (text: string): readonly string[] => text.split(/[\\/]/).filter((name) => name !== '');
  if (systemTrees[platform].some((tree) => isInside(onDisk, place(tree)))) return 'it is a system folder';
  if (systemFolders[platform].some((folder) => isSame(onDisk, place(folder)))) return 'it is a system folder';
  return undefined;
}

function overlapProblem(
  root: RootFacts,
  others: readonly RootFacts[],
  { platform }: ForbiddenPlaces,
  purpose: Purpose,
): Failure | undefined {
  const path = root.realPath ?? root.path;
  const other = others.find((candidate) => {
    const otherPath = candidate.realPath ?? candidate.path;
    return isWithin(path, otherPath, platform) || isWithin(otherPath, path, platform);
  });
  if (other === undefined) return undefined;
  const otherPath = other.realPath ?? other.path;
  const isSameFolder = isWithin(path, otherPath, platform) && isWithin(otherPath, path, platform);
  return failure(
    'ROOT_OVERLAP',
    `The ${purpose === 'watched' ? 'watched ' : ''}folders ${visibleName(other.path)} and ${visibleName(root.path)} ${isSameFolder ? 'are the same folder' : 'overlap: one is inside the other'}.`,
    purpose === 'watched'
      ? 'Watch only one of them: each export must belong to one watched folder.'
      : 'Send only one of them: each clip belongs to one incident.',
  );
}

/** Whether `path` is `outer` or lies inside it; false when either is not absolute. */
export function isWithin(path: string, outer: string, platform: ForbiddenPlaces['platform']): boolean {
  const [names, outerNames] = [namesOf(path, platform), namesOf(outer, platform)];
  return names !== undefined && outerNames !== undefined && isInside(names, outerNames);
}

/** Names from the top down, `.` and `..` resolved; undefined for a path that is not absolute. */
function namesOf(path: string, platform: ForbiddenPlaces['platform']): readonly string[] | undefined {
  const isAbsolute =
    platform === 'posix' ? path.startsWith('/') : /^([A-Za-z]:[\\/]|[\\/]{2}[^\\/])/.test(path);
  if (!isAbsolute) return undefined;
  const names: string[] = [];
  for (const name of path.split(platform === 'posix' ? '/' : /[\\/]/)) {
    if (name === '..') names.pop();
    // Windows file systems fold case, and drop dots and blanks at the end of a name
    else if (name !== '' && name !== '.') names.push(platform === 'win32' ? foldName(name) : name);
  }
  return names;
}

function foldName(name: string): string {
  return name.toLowerCase().replace(/[. ]+$/, '');
}

function isDriveRoot(path: string, platform: ForbiddenPlaces['platform'], names: readonly string[]): boolean {
  if (platform === 'posix') return names.length === 0;
  // a share such as \\nas\exports is made for this; a bare server or C:\ is not
  return names.length <= 1 && (names.length === 0 || /^([A-Za-z]:|[\\/]{2})/.test(path));
}

function isSame(names: readonly string[], other: readonly string[] | undefined): boolean {
  return other !== undefined && names.length === other.length && isInside(names, other);
}

/** Whether `names` is `outer` or lies inside it. */
function isInside(names: readonly string[], outer: readonly string[]): boolean {
  return outer.every((name, index) => names[index] === name);
}

function failure(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: false };
}

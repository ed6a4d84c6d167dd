import { baseName, splitName } from './file-kinds.ts';

/** Folders of an export that plays only as a whole. */
const projectFolders = /(?:^|\/)(?:XProtect Files|Client Files)\//i;
const projectExtensions = new Set(['blk', 'scp']);

/**
 * Whether a file is part of an export in Milestone's XProtect format: in one of its folders, or the data or project
 * file that a service writes without them. Nothing in it plays alone, so none of it is a clip.
 */
export function isProjectPart(path: string): boolean {
  return projectFolders.test(path) || projectExtensions.has(splitName(baseName(path)).extension);
}

/** Whether a file belongs to the player included in such an export. */
export const isPlayerPart = (path: string): boolean => /(?:^|\/)Client Files\/Client\//i.test(path);

/** Explains such an export, and what to do about it; for people. */
export const projectWords = {
  message:
    "The folder contains a Milestone export in the XProtect format. It plays only as a whole, in Milestone's own player, so none of it is sent.",
  advice:
    'Export the incident again as MP4 or MKV ("Media player format"); if that format is missing, ask the XProtect administrator to allow it. If this export is all you have, send all its parts as evidence (in a terminal: "push --as-evidence").',
  besideClips:
    'The clips beside it are sent. If they do not show all of the incident, export the rest as MP4 or MKV ("Media player format").',
} as const;

interface Named {
  readonly path: string;
}

/** The clips that are a recorder's store, not an MPEG program stream: `.ps` beside a `.psi` index. */
export function indexedStores(clips: readonly Named[], companions: readonly Named[]): ReadonlySet<string> {
  const indexes = new Set(
    companions.filter(({ path }) => /\.psi$/i.test(path)).map(({ path }) => path.slice(0, -4)),
  );
  const stores = clips.filter(({ path }) => /\.ps$/i.test(path) && indexes.has(path.slice(0, -3)));
  return new Set(stores.map(({ path }) => path));
}

/** Recordings and the names of their indexes; neither is of use alone. */
interface Pair {
  readonly clip: RegExp;
  readonly index: RegExp;
  /** Turns the path of the recording into that of its index. */
  readonly indexOf: readonly [RegExp, string];
  /** Recordings that always have an index, if others of the kind may not; missing: all. */
  readonly needs?: RegExp;
}

const digiop: Pair = { clip: /\.dsf$/i, index: /\.inx$/i, indexOf: [/\.dsf$/i, '.inx'] };
/** The server's store; a program stream from another system has no index. */
const exacq: Pair = {
  clip: /\.ps$/i,
  index: /\.psi$/i,
  indexOf: [/\.ps$/i, '.psi'],
  needs: /(?:^|\/)\d{4}-[0-9a-f]{8}\.ps$/i,
};
const canon: Pair = {
  clip: /(?:^|\/)NVR_MEDIA_[^/]+$/,
  index: /(?:^|\/)NVR_INDEX_[^/]+$/,
  indexOf: [/NVR_MEDIA_([^/.]+)[^/]*$/, 'NVR_INDEX_$1'],
};

/** Halves of pairs whose other half is missing, and which half each is. */
export function halvesOf(
  clips: readonly Named[],
  companions: readonly Named[],
): readonly { readonly path: string; readonly isClip: boolean }[] {
  const key = (path: string): string => path.toLowerCase().replace(/(nvr_index_[^/.]+)[^/]*$/, '$1');
  return [digiop, exacq, canon].flatMap(({ clip, index, indexOf: [from, to], needs = clip }) => {
    const films = clips.filter(({ path }) => clip.test(path));
    const owners = new Map(films.map(({ path }) => [key(path.replace(from, to)), path]));
    const indexes = companions.filter(({ path }) => index.test(path)).map(({ path }) => path);
    const there = new Set(indexes.map(key));
    const alone = [...owners].filter(([wanted, path]) => needs.test(path) && !there.has(wanted));
    return [
      ...alone.map(([, path]) => ({ path, isClip: true })),
      ...indexes.filter((path) => !owners.has(key(path))).map((path) => ({ path, isClip: false })),
    ];
  });
}

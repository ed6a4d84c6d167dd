import { baseName, splitName, stemPath } from './file-kinds.ts';

/** What belongs to an export that only plays as a whole. */
const projectFolders = /(?:^|\/)(?:XProtect Files|Client Files)\//i;
const projectExtensions = new Set(['blk', 'scp']);

/**
 * Whether a file is part of an export in Milestone's XProtect format. Nothing in it plays alone, so that nothing of it
 * is a clip: its folders, and the data and project file that a service writes without them.
 */
export function isProjectPart(path: string): boolean {
  return projectFolders.test(path) || projectExtensions.has(splitName(baseName(path)).extension);
}

/** Whether a file is part of the player that lies in such an export: a program with what it needs. */
export const isPlayerPart = (path: string): boolean => /(?:^|\/)Client Files\/Client\//i.test(path);

/** What such an export is, and what to do; for people. */
export const projectWords = {
  message:
    'This is a Milestone export in the XProtect format. It only plays as a whole in Milestone’s own player, so none of it was sent.',
  advice:
    'Export the incident again as MP4 or MKV ("Media player format"); if that format is missing, the administrator of XProtect must allow it. If only this export is left, send all its parts as evidence ("push --as-evidence").',
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

/** DIGIOP's films that lack the index of the same name beside them: they do not play without it. */
export function withoutIndex(clips: readonly Named[], companions: readonly Named[]): readonly string[] {
  const stems = new Set(companions.map(({ path }) => stemPath(path).toLowerCase()));
  return clips
    .filter(({ path }) => /\.dsf$/i.test(path) && !stems.has(stemPath(path).toLowerCase()))
    .map(({ path }) => path);
}

import { splitName, baseName } from './file-kinds.ts';

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

/** What such an export is, and what to do; for people. */
export const projectWords = {
  message:
    'This is a Milestone export in the XProtect format. It only plays as a whole in Milestone’s own player, so nothing of it was sent.',
  advice:
    'Export the incident again as MP4 or MKV ("Media player format"). If that format is missing, the administrator of XProtect must allow it.',
} as const;

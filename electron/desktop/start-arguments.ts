import { isAbsolute, resolve } from 'node:path';
import { LINK_SCHEME, parseDeepLink } from './deep-link.ts';

/** Starts without a window: at sign-in. */
export const HIDDEN_SWITCH = '--hidden';
/** Folders of one start that are taken; nobody looks through more previews. */
const MOST_FOLDERS = 50;

/** What a start of the app asks for. */
export interface StartWish {
  readonly isHidden: boolean;
  /** Absolute paths that may be folders; whether they are is looked at later. */
  readonly folders: readonly string[];
  readonly incidentId?: string;
}

/**
 * Reads the arguments after the program's own name (and, in development, after the app's path). What begins with a dash
 * is a switch of Chromium or ours, never a folder: a link or a shortcut could otherwise steer the app. Relative paths
 * are relative to the folder that the start was made in. A start by a link takes nothing else: who wrote the link may have
 * written what stands beside it.
 */
export function readStartArguments(args: readonly string[], workingDir: string): StartWish {
  const plain = args.filter((each) => each !== '' && !each.startsWith('-'));
  const isLink = (text: string): boolean => text.toLowerCase().startsWith(`${LINK_SCHEME}:`);
  const links = plain.filter(isLink);
  const [link] = links.flatMap((text) => parseDeepLink(text) ?? []);
  const folders = links.length > 0 ? [] : plain.filter((text) => !/^[a-z][a-z0-9+.-]+:/i.test(text));
  return {
    isHidden: args.includes(HIDDEN_SWITCH),
    folders: [...new Set(folders.map((path) => (isAbsolute(path) ? path : resolve(workingDir, path))))].slice(
      0,
      MOST_FOLDERS,
    ),
    ...link,
  };
}

import { lstatSync } from 'node:fs';

/** How long the text of an unchanged file is reused, milliseconds: then the folders above it are checked again. */
const FRESH_MS = 1_000;

/**
 * Reads a file again if it was changed or replaced, and otherwise once a second: checking all folders above a key
 * blocks the main thread for most of a millisecond, and sending small clips asks for it a hundred times a second.
 * Rejects as `read` does.
 */
export function createReread(
  read: (file: string) => Promise<string>,
  now: () => number = () => performance.now(),
): (file: string) => Promise<string> {
  let last: Readonly<{ file: string; stamp: string; untilMs: number; text: string }> | undefined;
  return async (file) => {
    const stamp = stampOf(file);
    if (last?.file === file && last.stamp === stamp && now() < last.untilMs) return last.text;
    // The stamp is from before the read: a file that replaces it in the meantime has another one
    const untilMs = now() + FRESH_MS;
    // A deleted and recreated file is another one, even if the system gives it the same inode
    last = undefined;
    const text = await read(file);
    if (stamp !== undefined) last = { file, stamp, untilMs, text };
    return text;
  };
}

/** A value that changes with the file and its content; undefined if it cannot be read. */
function stampOf(file: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    // The read that follows reports the reason
    return undefined;
  }
}

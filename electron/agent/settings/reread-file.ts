import { lstatSync } from 'node:fs';

/** For so long what was read of an unchanged file counts, milliseconds: the folders above it are judged again then. */
const FRESH_MS = 1_000;

/**
 * Reads a file when it is another one or was changed, and once a second: to judge all folders above a key takes most of
 * a millisecond of the main thread, and sending small clips asks for it a hundred times a second. Rejects as `read`.
 */
export function createReread(
  read: (file: string) => Promise<string>,
  now: () => number = () => performance.now(),
): (file: string) => Promise<string> {
  let last: Readonly<{ file: string; stamp: string; untilMs: number; text: string }> | undefined;
  return async (file) => {
    const stamp = stampOf(file);
    if (last?.file === file && last.stamp === stamp && now() < last.untilMs) return last.text;
    // Of before it is read: what takes its place meanwhile has another one
    const untilMs = now() + FRESH_MS;
    // A file that was gone is another one, though the system may give it the same number
    last = undefined;
    const text = await read(file);
    if (stamp !== undefined) last = { file, stamp, untilMs, text };
    return text;
  };
}

/** Changes with the file and with what it holds; undefined when that cannot be told. */
function stampOf(file: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    // Whoever reads it says why
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { basename as posixBasename } from 'node:path/posix';
import { z } from 'zod';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { fs, fsPromises } from '../../files/plain-fs.ts';
import { systemErrorName } from '../../system-errors.ts';
import { sha256Of } from '../../store/audit-rows.ts';

/** Files up to this size are read in one go, bytes. */
const SMALL_BYTES = 4 * 1024 * 1024;

/** SHA-256 of a regular file, in hex; the error completes a sentence about it. */
export async function sumOf(file: string): Promise<Result<string, string>> {
  try {
    const facts = await fsPromises.lstat(file);
    if (!facts.isFile()) return err(NEITHER);
    if (facts.size <= SMALL_BYTES) return ok(sha256Of(await fsPromises.readFile(file)));
    const hash = createHash('sha256');
    for await (const block of fs.createReadStream(file, { highWaterMark: 1024 * 1024 }))
      hash.update(z.instanceof(Buffer).parse(block));
    return ok(hash.digest('hex'));
  } catch (error) {
    return err(unreadable(error));
  }
}

const NEITHER = 'is neither a regular file nor a folder';

/** The end of a sentence about a path; a bug still throws. */
function unreadable(error: unknown): string {
  const name = systemErrorName(error);
  if (name === undefined) throw error;
  return `cannot be read (${name})`;
}

/** The contents of a folder and its subfolders, as paths inside it, and the folders that could not be read. */
interface FolderFiles {
  readonly names: readonly string[];
  readonly unread: readonly { readonly name: string; readonly problem: string }[];
}

/** Lists everything in a folder that is not a folder itself. Links are not followed. */
export async function listFiles(folder: string): Promise<FolderFiles> {
  const names: string[] = [];
  const unread: FolderFiles['unread'][number][] = [];
  const waiting = [''];
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    const place = join(folder, inside);
    try {
      for (const entry of await fsPromises.readdir(place, { withFileTypes: true }))
        (entry.isDirectory() ? waiting : names).push(join(inside, entry.name));
    } catch (error) {
      unread.push({ name: inside === '' ? folder : inside, problem: unreadable(error) });
    }
  }
  return { names, unread };
}

/** The facts about a clip in a manifest with which its copy is compared. */
interface PackedClip {
  readonly path: string;
  readonly sha256: { readonly sent: string | null };
  readonly sent: { readonly name: string } | null;
}

/** How copies differ from the clips of a manifest; `given` has files, and folders of them. */
export async function copyDifferences(
  packed: readonly PackedClip[],
  given: readonly string[],
): Promise<readonly string[]> {
  const clips = packed.flatMap(({ sha256, sent, path }) =>
    sent === null || sha256.sent === null
      ? []
      : [{ sum: sha256.sent, stored: sent.name, name: posixBasename(path) }],
  );
  const differences: string[] = [];
  const seen = new Set<string>();
  let hasFolder = false;
  const look = async (file: string): Promise<void> => {
    const name = basename(file);
    const shownName = visibleName(name);
    const isOf = (clip: (typeof clips)[number]): boolean => clip.stored === name || clip.name === name;
    const own = await sumOf(file);
    if (!own.ok) {
      differences.push(`${shownName} ${own.error}.`);
      // A copy was given, and it was just reported that it could not be compared
      for (const { sum } of clips.filter(isOf)) seen.add(sum);
      return;
    }
    seen.add(own.value);
    const same = clips.filter((clip) => clip.sum === own.value);
    if (same.some(isOf)) return;
    if (same.length > 0)
      differences.push(`${shownName} has the same bytes as a clip that was sent, but a different name.`);
    else if (clips.some(isOf))
      differences.push(`${shownName} is not the clip that was sent: its SHA-256 is ${own.value}.`);
    else differences.push(`${shownName} is not among the clips that were sent: its SHA-256 is ${own.value}.`);
  };
  for (const path of given) {
    const facts = await fsPromises.lstat(path).catch(() => undefined);
    if (facts?.isDirectory() === true) {
      hasFolder = true;
      const { names, unread } = await listFiles(path);
      for (const { name, problem } of unread) differences.push(`${visibleName(name)} ${problem}.`);
      for (const name of names) await look(join(path, name));
    } else if (facts?.isFile() === true) await look(path);
    else if (facts === undefined) differences.push(`${visibleName(path)} does not exist.`);
    else differences.push(`${visibleName(path)} ${NEITHER}.`);
  }
  if (hasFolder)
    for (const clip of clips)
      if (!seen.has(clip.sum)) differences.push(`No copy of the clip ${visibleName(clip.stored)} was given.`);
  return differences;
}

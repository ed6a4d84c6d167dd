import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, normalize } from 'node:path';

/**
 * A path that Electron takes for one inside an archive: any file with such a name, even a missing one, counts as an
 * archive.
 */
export interface ForeignPath {
  readonly archive: string;
  /** Path inside it, '' for the archive itself. */
  readonly inside: string;
}

interface Header {
  readonly files?: Readonly<Record<string, Header>>;
  readonly size?: number;
  readonly offset?: string;
}

// The functions from before the double replaced them
const { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } = fs;
/** Offset of the header in an archive: after the sizes of two pickles, bytes. */
const HEADER_START = 16;
const MOST_HEADER_BYTES = 16 * 1024 * 1024;

/** Electron checks only once whether a path is a folder. */
const folders = new Map<string, boolean>();
const unpacked = new Map<string, string>();

function isFolder(path: string): boolean {
  const known = folders.get(path);
  if (known !== undefined) return known;
  const isOne = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  folders.set(path, isOne);
  return isOne;
}

/** The path as Electron interprets it; undefined if it leaves it to the system. */
export function foreignPath(path: string): ForeignPath | undefined {
  if (!/\.asar/i.test(path)) return undefined;
  let inside = '';
  for (let place = normalize(path); place !== dirname(place); place = dirname(place)) {
    if (/\.asar$/i.test(place) && !isFolder(place)) return { archive: place, inside };
    inside = join(basename(place), inside === '' ? '.' : inside);
  }
  return undefined;
}

/** Folder with the whole contents of an archive; undefined for a file that is not an archive. */
export function unpackedArchive(archive: string): string | undefined {
  const known = unpacked.get(archive);
  if (known !== undefined) return known;
  // Electron would keep it open: lets a test assert that no path goes this way
  process.stdout.write(`electron-double: ${archive} is taken for an archive\n`);
  let file = -1;
  try {
    file = openSync(archive, 'r');
    const sizes = bytesOf(file, 0, HEADER_START);
    const length = sizes.readUInt32LE(12);
    if (sizes.readUInt32LE(0) !== 4 || length > MOST_HEADER_BYTES) return undefined;
    const header = JSON.parse(bytesOf(file, HEADER_START, length).toString()) as Header;
    const folder = mkdtempSync(join(tmpdir(), 'electron-double-archive-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    copyOut(file, 8 + sizes.readUInt32LE(4), header, folder);
    unpacked.set(archive, folder);
    return folder;
  } catch {
    return undefined;
  } finally {
    if (file !== -1) closeSync(file);
  }
}

function copyOut(file: number, start: number, { files = {} }: Header, folder: string): void {
  for (const [name, entry] of Object.entries(files)) {
    const path = join(folder, basename(name));
    if (entry.files === undefined)
      writeFileSync(path, bytesOf(file, start + Number(entry.offset), entry.size ?? 0));
    else {
      mkdirSync(path);
      copyOut(file, start, entry, path);
    }
  }
}

function bytesOf(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, start) < length) throw new Error('The archive ends early.');
  return bytes;
}

/** An archive of these files, in the format that Electron reads. */
export function archiveOf(files: Readonly<Record<string, Buffer>>): Buffer {
  let offset = 0;
  const entries = Object.entries(files).map(([name, { length }]) => {
    const entry = { size: length, offset: String(offset) };
    offset += length;
    return [name, entry] as const;
  });
  const text = Buffer.from(JSON.stringify({ files: Object.fromEntries(entries) }));
  const header = Buffer.alloc(Math.ceil(text.length / 4) * 4);
  text.copy(header);
  const sizes = Buffer.alloc(HEADER_START);
  [4, header.length + 8, header.length + 4, text.length].forEach((size, at) => {
    sizes.writeUInt32LE(size, at * 4);
  });
  return Buffer.concat([sizes, header, ...Object.values(files)]);
}

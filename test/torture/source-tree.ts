import { createCipheriv, createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from './dice.ts';

/** Part size and multipart threshold of the run, bytes: the smallest that storage accepts. */
export const PART_BYTES = 5 * 1024 * 1024;
const LARGEST_SMALL_BYTES = 300_000;
/** A clip of this size or more is huge, bytes. */
export const HUGE_BYTES = 105_000_000;
/** Share of clips with an image of the same stem. */
const THUMBNAIL_SHARE = 0.25;
/** Places that the folders are named after; the number makes the names unique. */
const places = ['Gate 4', 'Car park', 'Concourse', 'Turnstile 7', 'Loading dock'];
/** `.dav` is a vendor's own format, which is not probed; the others are. None of them has a required end. */
const extensions = ['ts', 'avi', 'dav'];

/** A clip as it now is in the watched folder. */
export interface SourceClip {
  readonly folder: string;
  readonly name: string;
  readonly isLarge: boolean;
  sizeBytes: number;
  sha256: string;
  /** Digests of its contents before it was truncated or appended to. */
  readonly earlier: string[];
  readonly thumbnailSha256: string | undefined;
}

/** The watched folder, with contents that only the driver remembers. */
export interface SourceTree {
  readonly root: string;
  clips(): readonly SourceClip[];
  folders(): readonly string[];
  totalBytes(): number;
  addFolder(smallClips: number): string;
  addSmall(folder: string): SourceClip;
  addLarge(folder: string): SourceClip;
  /** Adds a clip of more than 100 MB. */
  addHuge(folder: string): SourceClip;
  /** Truncates the clip or appends to it; its last content is the one that counts. */
  change(clip: SourceClip): void;
}

export function createSourceTree(root: string, dice: Dice): SourceTree {
  const clips: SourceClip[] = [];
  const folders: string[] = [];
  let files = 0;
  mkdirSync(root, { recursive: true });

  function add(folder: string, sizeBytes: number): SourceClip {
    files += 1;
    const stem = `clip-${String(files).padStart(5, '0')}`;
    const name = `${stem}.${dice.pick(extensions)}`;
    const bytes = uniqueBytes(sizeBytes);
    let thumbnailSha256: string | undefined;
    if (dice.chance(THUMBNAIL_SHARE)) {
      const image = randomBytes(dice, dice.between(1, 20_000));
      thumbnailSha256 = sha256(image);
      writeFileSync(join(root, folder, `${stem}.jpg`), image);
    }
    writeFileSync(join(root, folder, name), bytes);
    const isLarge = sizeBytes >= PART_BYTES;
    const clip = { folder, name, isLarge, sizeBytes, sha256: sha256(bytes), earlier: [], thumbnailSha256 };
    clips.push(clip);
    return clip;
  }

  /**
   * Two clips never have the same bytes: they are identified by digest, and the second would be a copy, which is not
   * sent.
   */
  function uniqueBytes(sizeBytes: number): Buffer {
    for (;;) {
      const bytes = randomBytes(dice, sizeBytes);
      const digest = sha256(bytes);
      if (!clips.some((clip) => clip.sha256 === digest || clip.earlier.includes(digest))) return bytes;
    }
  }

  return {
    root,
    clips: () => clips,
    folders: () => folders,
    totalBytes: () => clips.reduce((sum, clip) => sum + clip.sizeBytes, 0),
    addFolder(smallClips) {
      const folder = `${dice.pick(places)} ${String(folders.length + 1).padStart(4, '0')}`;
      mkdirSync(join(root, folder));
      folders.push(folder);
      for (let index = 0; index < smallClips; index += 1) add(folder, smallSize(dice));
      return folder;
    },
    addSmall: (folder) => add(folder, smallSize(dice)),
    addLarge: (folder) => add(folder, largeSize(dice)),
    addHuge: (folder) => add(folder, HUGE_BYTES + dice.between(0, 1_000_000)),
    change(clip) {
      const file = join(root, clip.folder, clip.name);
      // A large clip stays large and a small one small: the change affects its bytes, not how it is uploaded.
      const least = clip.isLarge ? PART_BYTES : 1;
      const isCut = clip.sizeBytes > least + 1_000 && dice.chance(0.5);
      if (isCut) truncateSync(file, dice.between(least, clip.sizeBytes - 1));
      else appendFileSync(file, randomBytes(dice, dice.between(1, 50_000)));
      const bytes = readFileSync(file);
      clip.earlier.push(clip.sha256);
      clip.sizeBytes = bytes.length;
      clip.sha256 = sha256(bytes);
    },
  };
}

/** Occasionally a few bytes, and seldom a single one: there are only 256 of these. */
function smallSize(dice: Dice): number {
  return dice.chance(0.1) ? dice.between(1, 4) : dice.between(4, LARGEST_SMALL_BYTES);
}

/** Exact multiples of the part size and their neighbours reveal off-by-one errors. */
function largeSize(dice: Dice): number {
  const exact = dice.between(1, 4) * PART_BYTES;
  return dice.pick([
    exact,
    exact + 1,
    dice.between(11_000_000, 26_000_000),
    dice.between(11_000_000, 15_000_000),
  ]);
}

const AES_KEY_BYTES = 16;

/** Random bytes from a cipher: seeded like the dice, and a hundred times as fast. */
function randomBytes(dice: Dice, sizeBytes: number): Buffer {
  const key = Buffer.from(Array.from({ length: AES_KEY_BYTES }, () => dice.between(0, 255)));
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.alloc(AES_KEY_BYTES));
  return cipher.update(Buffer.alloc(sizeBytes));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

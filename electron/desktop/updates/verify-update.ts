import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { isSignedBy } from '../../agent/index.ts';

/** Longest manifest that is read, bytes: some installers of one platform. */
export const LONGEST_MANIFEST = 64 * 1024;

const manifestSchema = z.strictObject({
  version: z.string().max(100),
  /** Percent of the desks that the release is for by now; missing: all. */
  share: z.int().min(0).max(100).exactOptional(),
  files: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(255),
        sha512: z.base64().length(88),
        size: z.int().min(1),
      }),
    )
    .min(1)
    .max(50),
  signature: z.base64().length(88),
});

/** What a release consists of, as its maker signed it. */
export type SignedRelease = Readonly<Omit<z.infer<typeof manifestSchema>, 'signature'>>;

/** Why an update is not taken; a sentence for people. */
export type UpdateRefusal = string;

interface Trust {
  /** The 32 bytes of the maker's Ed25519 key, base64; built into the app. */
  readonly publicKey: string;
  readonly installedVersion: string;
}

/**
 * The release that the signed manifest describes: signed by the maker, and newer than what is installed, so that neither
 * the server nor anyone on the way can offer another file or an old version with known holes.
 */
export function verifyManifest(text: string, trust: Trust): Result<SignedRelease, UpdateRefusal> {
  const manifest = parse(text);
  if (manifest === undefined) return err("The update's list is in a format that this app does not know.");
  const { signature, ...release } = manifest;
  if (!isSignedBy(trust.publicKey, canonical(release), signature))
    return err("The update's list is not signed by the maker of this app.");
  if (!isNewerVersion(release.version, trust.installedVersion))
    return err('The update is not newer than the installed version.');
  return ok(release);
}

function parse(text: string): z.infer<typeof manifestSchema> | undefined {
  if (text.length > LONGEST_MANIFEST) return undefined;
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The bytes that the signature is over (docs/release.md): JSON without spaces, fields in this order. */
function canonical({ version, share, files }: SignedRelease): Buffer {
  const plain = files.map(({ name, sha512, size }) => ({ name, sha512, size }));
  return Buffer.from(JSON.stringify({ version, share, files: plain }));
}

/** Bits of a hash that exact numbers can hold. */
const DRAW_BYTES = 6;

/**
 * Whether the desk is among the first so many percent that get a version. A desk that is stays so when the share grows,
 * and each version draws anew, so that no desk is always the first.
 */
export function isInShare({ version, share = 100 }: SignedRelease, deskId: string): boolean {
  const hash = createHash('sha256').update(`${version}\n${deskId}`).digest();
  return (hash.readUIntBE(0, DRAW_BYTES) / 256 ** DRAW_BYTES) * 100 < share;
}

/**
 * Whether the file is one of the release's: its name (that of the file, or `name` where it has another one), its size, and
 * every byte. Rejects when it cannot be read.
 */
export async function verifyUpdateFile(
  file: string,
  release: SignedRelease,
  name = basename(file),
): Promise<Result<void, UpdateRefusal>> {
  const meant = release.files.find((each) => each.name === name);
  if (meant === undefined) return err("The update's file is not one that its maker signed.");
  const { size } = await stat(file);
  if (size !== meant.size) return err("The update's file does not have the size that its maker signed.");
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file)) hash.update(z.instanceof(Buffer).parse(piece));
  return hash.digest('base64') === meant.sha512
    ? ok(undefined)
    : err("The update's file is not the one that its maker signed.");
}

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,60}))?$/;

interface Version {
  readonly numbers: readonly number[];
  readonly stage: readonly string[];
}

/** Whether `offered` is a later version than `installed` by the rules of semver.org. What is no version is never newer. */
export function isNewerVersion(offered: string, installed: string): boolean {
  const [one, other] = [parseVersion(offered), parseVersion(installed)];
  return one !== undefined && other !== undefined && compare(one, other) > 0;
}

function parseVersion(text: string): Version | undefined {
  const found = VERSION.exec(text);
  if (found === null) return undefined;
  const [, ...parts] = found;
  return { numbers: parts.slice(0, 3).map(Number), stage: parts[3]?.split('.') ?? [] };
}

function compare(one: Version, other: Version): number {
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A version without a stage comes after all its stages
  if (one.stage.length === 0 || other.stage.length === 0) return other.stage.length - one.stage.length;
  for (const [index, part] of one.stage.entries()) {
    const before = other.stage[index];
    if (before === undefined) return 1;
    const difference = compareParts(part, before);
    if (difference !== 0) return difference;
  }
  return one.stage.length - other.stage.length;
}

function compareParts(one: string, other: string): number {
  const [isNumber, wasNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && wasNumber) return Number(one) - Number(other);
  if (isNumber !== wasNumber) return isNumber ? -1 : 1;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

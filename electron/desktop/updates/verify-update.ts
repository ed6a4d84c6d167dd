import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { isSignedBy, systemCode } from '../../agent/index.ts';

/** Largest manifest that is read, bytes: a few installers of one platform. */
const LONGEST_MANIFEST = 64 * 1024;

const manifestSchema = z.strictObject({
  version: z.string().max(100),
  /** Percentage of the desks that the release is for by now; missing: all. */
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

/** What a release consists of, as its publisher signed it. */
export type SignedRelease = Readonly<Omit<z.infer<typeof manifestSchema>, 'signature'>>;

/** Why an update is refused; a sentence for people. */
export type UpdateRefusal = string;

interface Trust {
  /** The 32 bytes of the publisher's Ed25519 key, base64; built into the app. */
  readonly publicKey: string;
  readonly installedVersion: string;
}

/**
 * Returns the release that the manifest describes. It must be signed by the publisher and newer than the installed
 * version, so that neither the server nor anyone on the way can offer another file or an old version with known holes.
 */
export function verifyManifest(text: string, trust: Trust): Result<SignedRelease, UpdateRefusal> {
  const manifest = parse(text);
  if (manifest === undefined)
    return err('The update manifest is in a format that this app does not recognise.');
  const { signature, ...release } = manifest;
  if (!isSignedBy(trust.publicKey, canonical(release), signature))
    return err("The update manifest is not signed by this app's publisher.");
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

/** The signed bytes (docs/release.md): JSON without spaces, fields in this order. */
function canonical({ version, share, files }: SignedRelease): Buffer {
  const plain = files.map(({ name, sha512, size }) => ({ name, sha512, size }));
  return Buffer.from(JSON.stringify({ version, share, files: plain }));
}

/** Bytes of a hash that a number holds exactly. */
const DRAW_BYTES = 6;

/**
 * Whether the desk is in the percentage that gets a version. It stays in when the share grows, and each version draws
 * again, so that no desk is always the first.
 */
export function isInShare({ version, share = 100 }: SignedRelease, deskId: string): boolean {
  const hash = createHash('sha256').update(`${version}\n${deskId}`).digest();
  return (hash.readUIntBE(0, DRAW_BYTES) / 256 ** DRAW_BYTES) * 100 < share;
}

/**
 * Checks that the file belongs to the release: its name (the file's own, or `name` if it has another one), its size and
 * every byte. Rejects when it cannot be read.
 */
export async function verifyUpdateFile(
  file: string,
  release: SignedRelease,
  name = basename(file),
): Promise<Result<void, UpdateRefusal>> {
  const meant = release.files.find((each) => each.name === name);
  if (meant === undefined) return err('The update file is not in the signed manifest.');
  const { size } = await stat(file);
  if (size !== meant.size) return err("The update file's size does not match the signed manifest.");
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file)) hash.update(z.instanceof(Buffer).parse(piece));
  return hash.digest('base64') === meant.sha512
    ? ok(undefined)
    : err('The update file does not match the signed manifest.');
}

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,60}))?$/;

interface Version {
  readonly numbers: readonly number[];
  readonly stage: readonly string[];
}

/**
 * Whether `offered` is a later version than `installed` by the rules of semver.org. An invalid version is never newer.
 */
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
  // A release comes after all its pre-releases
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

/** The feed responded with an error; has its HTTP status. */
export class FeedStatusError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number) {
    super(`The feed responded with HTTP ${statusCode}`);
    this.statusCode = statusCode;
  }
}

/** The signed manifest is longer than that of any release. */
class ListTooLongError extends Error {
  constructor() {
    super('The update manifest is too large');
  }
}

/** The list as text; one that is too long for any release is rejected before it is in memory. */
export async function readList(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > LONGEST_MANIFEST) throw new ListTooLongError();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Fields of the updater's, Chromium's and the system's errors. */
const faultSchema = z.object({
  code: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  message: z.string().catch(''),
});

type Fault = z.infer<typeof faultSchema>;

/** The updater's codes for a list that exists but cannot be read, such as a proxy's page instead of it. */
const noList: readonly string[] = [
  'ERR_UPDATER_INVALID_VERSION',
  'ERR_UPDATER_INVALID_UPDATE_INFO',
  'ERR_UPDATER_NO_FILES_PROVIDED',
  'ERR_UPDATER_NO_CHECKSUM',
];
/** The system's codes for a disk that cannot be written to. */
const noDisk: readonly string[] = ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS'];

/** Why a check for updates failed; sentences for people. */
export function describeUpdateFault(error: unknown): string {
  if (error instanceof ListTooLongError)
    return 'The update manifest is too large. The app will retry automatically.';
  const fault = faultSchema.safeParse(error).data ?? { message: '' };
  return `${whatHappened({ ...fault, code: systemCode(error) })} The app will retry automatically.`;
}

function whatHappened({ code = '', statusCode, message }: Fault): string {
  if (code === 'ERR_CHECKSUM_MISMATCH')
    return 'The downloaded file differs from the one described by the update feed, so it was deleted.';
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE')
    return 'The downloaded update is not signed by the publisher of this app, so it was not installed.';
  if (noDisk.includes(code)) return `The update could not be saved to disk (${code}).`;
  if (noList.includes(code)) return 'The update feed did not return a valid release list.';
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND') return answeredWith('404');
  // Only the message of the error has the status of a file's response
  const status = statusCode?.toString() ?? /, status (\d{3}):/.exec(message)?.[1];
  if (status !== undefined) return answeredWith(status);
  if (/redirect/i.test(message))
    return 'The update feed redirected the request; redirects are never followed.';
  return 'Could not get updates from the update feed.';
}

const answeredWith = (status: string): string =>
  `The update feed responded with HTTP ${status} instead of a file.`;

/** What decides whether this copy of the app updates itself. */
export interface UpdateFacts {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** The organisation's policy. */
  readonly policy: {
    readonly enabled: boolean;
    readonly channel: 'stable' | 'beta';
    readonly feedUrl?: string;
  };
  /** Text of the file that the installer put beside the app (app-update.yml); undefined: there is none. */
  readonly built: string | undefined;
  /** False: the program is a file in a folder that this account may not write to. */
  readonly canReplace: boolean;
  /** The key that updates are checked with; undefined: none was built in. */
  readonly publicKey: string | undefined;
}

/** Whether the app updates itself and from where; `reason` is a sentence for people. */
export type UpdateRules =
  | { readonly kind: 'off'; readonly reason: string }
  | {
      readonly kind: 'on';
      /** Ends with a slash. */
      readonly feedUrl: string;
      /** As in the names of the feed's files. */
      readonly channel: 'latest' | 'beta';
      readonly publicKey: string;
    };

/**
 * Decides whether the app updates itself. What cannot be verified is not installed; the updater itself would accept
 * some of it.
 */
export function decideUpdates(facts: UpdateFacts): UpdateRules {
  const { isPackaged, platform, policy, built, publicKey } = facts;
  if (!isPackaged) return off('This copy of the app is not installed. Install the app to get updates.');
  if (!policy.enabled) return off("Your organisation's policy does not allow updates.");
  if (publicKey === undefined) return off(`This copy was built without a key to verify updates. ${BY_HAND}`);
  if (built === undefined)
    return off(`This copy was not installed by an installer that can update it. ${BY_HAND}`);
  if (!facts.canReplace)
    return off(`The program is in a folder that this account cannot write to. ${BY_HAND}`);
  // Without it the updater accepts any installer on Windows, signed or not
  if (platform === 'win32' && !/^\s*publisherName:\s*\S/m.test(built))
    return off(`This copy was built without the name of the publisher that signs its updates. ${BY_HAND}`);
  const feedUrl = policy.feedUrl ?? builtFeed(built);
  if (feedUrl === undefined) return off(`This copy was built without an update address. ${BY_HAND}`);
  const url = URL.parse(feedUrl);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return off('The update address must be a valid https:// address without a user name or password.');
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  const channel = policy.channel === 'beta' ? 'beta' : 'latest';
  return { kind: 'on', feedUrl: url.href, channel, publicKey };
}

const builtFeed = (built: string): string | undefined =>
  /^url:\s*(?:'([^'\n]+)'|"([^"\n]+)"|(\S+))\s*$/m
    .exec(built)
    ?.slice(1)
    .find((each) => each !== undefined);

const BY_HAND = 'Install new versions by hand, or ask whoever manages this PC.';
const off = (reason: string): UpdateRules => ({ kind: 'off', reason });

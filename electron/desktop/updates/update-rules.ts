import { z } from 'zod';
import { LONGEST_MANIFEST } from './verify-update.ts';

/** An answer of the feed that is none: its HTTP status. */
export class FeedStatusError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number) {
    super(`The feed answered with ${statusCode}`);
    this.statusCode = statusCode;
  }
}

/** The signed list is longer than that of any release. */
class ListTooLongError extends Error {
  constructor() {
    super("The update's list is too long");
  }
}

/** The list as text; rejects for one that no release is as long as, before it is in memory. */
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

/** What errors of the updater, of Chromium and of the system have. */
const faultSchema = z.object({
  code: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  message: z.string().catch(''),
});

type Fault = z.infer<typeof faultSchema>;

/** Codes of the updater for a list that is there and cannot be read: a proxy's page in its place, for one. */
const noList: readonly string[] = [
  'ERR_UPDATER_INVALID_VERSION',
  'ERR_UPDATER_INVALID_UPDATE_INFO',
  'ERR_UPDATER_NO_FILES_PROVIDED',
  'ERR_UPDATER_NO_CHECKSUM',
];
/** Codes of the system for a disk that takes nothing. */
const noDisk: readonly string[] = ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS'];

/** Why a look for updates came to nothing; sentences for people. */
export function describeUpdateFault(error: unknown): string {
  if (error instanceof ListTooLongError)
    return "The feed's signed list is too long for a release. It will retry automatically.";
  const fault = faultSchema.safeParse(error).data ?? { message: '' };
  return `${whatHappened(fault)} It will retry automatically.`;
}

function whatHappened({ code = '', statusCode, message }: Fault): string {
  if (code === 'ERR_CHECKSUM_MISMATCH')
    return 'The downloaded file is not the one that the feed describes, so it was deleted.';
  if (noDisk.includes(code)) return `The update could not be saved on this disk (${code}).`;
  if (noList.includes(code)) return 'The update feed did not return a release list.';
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND') return answeredWith('404');
  // A file's answer stands in the words of the error alone
  const status = statusCode?.toString() ?? /, status (\d{3}):/.exec(message)?.[1];
  if (status !== undefined) return answeredWith(status);
  if (/redirect/i.test(message)) return 'The feed redirected the signed list; redirects are never followed.';
  return 'The feed could not be reached.';
}

const answeredWith = (status: string): string => `The feed answered with ${status} in place of a file.`;

/** What decides whether this copy of the app updates itself. */
export interface UpdateFacts {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** What the organisation says. */
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

/** Whether and from where; `reason` is a sentence for people. */
export type UpdateRules =
  | { readonly kind: 'off'; readonly reason: string }
  | {
      readonly kind: 'on';
      /** Ends with a slash. */
      readonly feedUrl: string;
      /** As the files of the feed are called. */
      readonly channel: 'latest' | 'beta';
      readonly publicKey: string;
    };

/** Decides it. What cannot be checked is not installed: the updater itself would let some of it pass. */
export function decideUpdates(facts: UpdateFacts): UpdateRules {
  const { isPackaged, platform, policy, built, publicKey } = facts;
  if (!isPackaged) return off('This is not an installed app.');
  if (!policy.enabled) return off("Updates are turned off by your organisation's policy.");
  if (publicKey === undefined) return off('This copy was built without a key to check updates with.');
  if (built === undefined) return off('This copy was not installed by an installer that can update it.');
  if (!facts.canReplace) return off('The program is in a folder that this account may not write to.');
  // Without it the updater takes any installer on Windows, signed or not
  if (platform === 'win32' && !/^\s*publisherName:\s*\S/m.test(built))
    return off('This copy does not name the publisher whose signature updates must have.');
  const feedUrl = policy.feedUrl ?? builtFeed(built);
  const url = feedUrl === undefined ? null : URL.parse(feedUrl);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return off('The update address does not begin with https.');
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

const off = (reason: string): UpdateRules => ({ kind: 'off', reason });

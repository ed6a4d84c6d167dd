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
    super('The list of the update is too long');
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
    return 'The signed list of the feed is too long to be that of a release. It is tried again by itself.';
  const fault = faultSchema.safeParse(error).data ?? { message: '' };
  return `${whatHappened(fault)} It is tried again by itself.`;
}

function whatHappened({ code = '', statusCode, message }: Fault): string {
  if (code === 'ERR_CHECKSUM_MISMATCH')
    return 'The loaded file is not the one that the feed describes; it was deleted.';
  if (noDisk.includes(code)) return `The update could not be kept on this disk (${code}).`;
  if (noList.includes(code)) return 'What the feed answered is no list of a release.';
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND') return answeredWith('404');
  // A file's answer stands in the words of the error alone
  const status = statusCode?.toString() ?? /, status (\d{3}):/.exec(message)?.[1];
  if (status !== undefined) return answeredWith(status);
  if (/redirect/i.test(message))
    return 'The signed list was answered with a redirect, which is not followed.';
  return 'The feed could not be reached.';
}

const answeredWith = (status: string): string => `The feed answered with ${status} in place of a file.`;

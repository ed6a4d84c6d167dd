import type { LookupFunction } from 'node:net';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Clock } from '../ports.ts';
import type { PutAnswer } from './signed-put-answer.ts';
import type { BodyRange } from './signed-put-body.ts';
import type { SocketOptions } from './signed-put-socket.ts';

/** What the client is made of. Time-outs default to the figures above. */
export interface SignedPutOptions extends SocketOptions {
  readonly clock: Clock;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly answerTimeoutMs?: number;
  /** See `createCheckedLookup`; default: the system's. */
  readonly lookup?: LookupFunction;
}

/** One PUT: a range of a file to a signed URL that was checked. */
export interface PutRequest extends BodyRange {
  readonly url: URL;
  /** Called with the size of each piece that the socket took. */
  readonly onBytes?: (bytes: number) => void;
  /** Whether the CRC-32 of what is sent is worth its time (default yes); an etag that is the MD5 proves more. */
  readonly withCrc32?: boolean;
  /** Whether a body of one piece (up to 1 MiB) is hashed on its way, so that it is read only once. */
  readonly withHashes?: boolean;
}

/** SHA-256 and MD5 in hex. */
export interface BodyHashes {
  readonly sha256: string;
  readonly md5: string;
}

/**
 * How a PUT ended. `sentBytes` counts what the socket took. An `answer` may come before the body was sent: bytes
 * are stored only when the status says so and `sentBytes` is the length. `network` means unknown, not failed.
 */
export type PutOutcome =
  | ({
      readonly kind: 'answer';
      readonly sentBytes: number;
      readonly crc32?: number;
      readonly hashes?: BodyHashes;
    } & PutAnswer)
  | {
      readonly kind: 'network';
      readonly code: string;
      readonly message: string;
      readonly sentBytes: number;
      /** The connection had served another request before: storage may just have closed it, so a new try costs nothing. */
      readonly wasReused: boolean;
      /** No connection came about, for this reason that concerns every upload: trouble with the proxy. */
      readonly failure?: Failure;
    }
  | { readonly kind: 'source'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'aborted'; readonly sentBytes: number };

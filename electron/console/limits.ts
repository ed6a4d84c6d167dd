/** What one server grants all who connect. Milliseconds, bytes, counts. */
export interface ServerLimits {
  readonly sockets: number;
  readonly headerBytes: number;
  /** A client gets so long for its headers, and so long for the whole request: slow senders hold no socket. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often the server checks for slow senders. */
  readonly checkEveryMs: number;
  readonly keepAliveMs: number;
  /** A socket on which nothing moves for so long is closed: a page that no longer reads its events, for one. */
  readonly silenceMs: number;
}

/** Limits of the console: a handful of pages of one person, six sockets each. */
export const usualLimits: ServerLimits = {
  sockets: 64,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkEveryMs: 2_000,
  keepAliveMs: 10_000,
  // Longer than the longest call (the connection check with all its time-outs)
  silenceMs: 120_000,
};

/** Largest body of a call, bytes: a settings file or a message with its image address is far below. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Calls that the agent works on at a time, for all pages together. */
export const MAX_CALLS_IN_FLIGHT = 16;
/** Pages that may listen at a time. */
export const MAX_EVENT_STREAMS = 4;

import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import { createAnswerReader, type AnswerReader, type ReceivedAnswer } from './read-answer.ts';

/** Idle connections are closed after this long, milliseconds: before the usual 20 s of storage servers. */
const KEEP_ALIVE_MS = 15_000;

/** A name, or an address without brackets, and a port. */
interface Target {
  readonly host: string;
  readonly port: number;
}

/** Options of the connections. */
export interface ConnectionOptions {
  /** Certificates that are trusted instead of Node's own list. */
  readonly ca?: readonly string[] | undefined;
  /**
   * Opens a connection through the proxy, which is ready when it resolves; undefined for a target that is reached
   * directly. Default: all are.
   */
  readonly through?: (target: Target, secure: (tunnel: Duplex) => TLSSocket) => Promise<Duplex> | undefined;
  /** See `createCheckedLookup`; default: the system's. */
  readonly lookup?: LookupFunction;
}

/** The request that a connection is serving. */
export interface ConnectionUser {
  /** How long nothing may be transferred, milliseconds. */
  readonly idleTimeoutMs: number;
  /** The headers of the answer have arrived. */
  onHead(): void;
  onAnswer(answer: ReceivedAnswer): void;
  /** The connection is gone, or what came is not an answer. */
  onEnd(error: Error): void;
  /** A write failed; what storage sent before may still be read. */
  onWriteError(error: Error): void;
}

/** A connection to storage that serves one request at a time. */
export interface PutConnection {
  /** It has served another request before. */
  readonly wasReused: boolean;
  /** It is connected, TLS included. */
  readonly isReady: boolean;
  onReady(callback: () => void): void;
  /**
   * Writes the head of a request with the first piece of its body, or a further piece. Resolves when the piece may be
   * used again: the socket has accepted it, or is gone.
   */
  write(head: string, piece: Buffer): Promise<void>;
  /** Ends it; `onEnd` gets the error. */
  destroy(error?: Error): void;
  /** Keeps it for the next request to the same host. */
  release(): void;
}

/** Connections to storage, kept for the next request: node:http would take a third more processor time for each. */
export interface PutConnections {
  /** A kept connection, or a new one. Rejects when none can be made through the proxy. */
  open(url: URL, user: ConnectionUser): PutConnection | Promise<PutConnection>;
  /** Closes kept connections. */
  stop(): void;
}

/** Creates the connections: at least TLS 1.2, certificates always verified whatever the environment says. */
export function createPutConnections({ ca, through, lookup }: ConnectionOptions): PutConnections {
  const kept = new Map<string, KeptConnection[]>();
  // Once: reading a few hundred certificates takes longer than a connection
  const trust = ca === undefined ? undefined : createSecureContext({ ca: [...ca], minVersion: 'TLSv1.2' });
  /** TLS sessions by host, to resume. */
  const sessions = new Map<string, Buffer>();

  function secure(url: URL, over: Target | { readonly socket: Duplex }): TLSSocket {
    const { host } = targetOf(url);
    const socket = connectTls({
      ...over,
      ...('socket' in over ? { host } : {}),
      servername: isIP(host) === 0 ? host : '',
      session: sessions.get(url.host),
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(trust && { secureContext: trust }),
    });
    socket.on('session', (session) => sessions.set(url.host, session));
    socket.once('error', () => sessions.delete(url.host));
    return socket;
  }

  function connect(url: URL): Duplex | Promise<Duplex> {
    const target = targetOf(url);
    const direct = { ...target, noDelay: true, keepAlive: true, ...(lookup && { lookup }) };
    if (url.protocol !== 'https:') return connectTcp(direct);
    return through?.(target, (tunnel) => secure(url, { socket: tunnel })) ?? secure(url, direct);
  }

  /** The connection that was used last, as it is the least likely to have been closed meanwhile. */
  function takeKept(origin: string): KeptConnection | undefined {
    for (let one = kept.get(origin)?.pop(); one !== undefined; one = kept.get(origin)?.pop())
      if (one.isUsable()) return one;
    return undefined;
  }

  function begin(url: URL, socket: Duplex, user: ConnectionUser): PutConnection {
    const mine = keptOf(url.origin);
    const connection = createConnection(socket, {
      keep: (one) => void mine.push(one),
      gone: (one) => void (mine.includes(one) && mine.splice(mine.indexOf(one), 1)),
    });
    return connection.serve(user);
  }

  function keptOf(origin: string): KeptConnection[] {
    const known = kept.get(origin) ?? [];
    kept.set(origin, known);
    return known;
  }

  return {
    open(url, user) {
      const known = takeKept(url.origin);
      if (known !== undefined) return known.serve(user);
      const socket = connect(url);
      return 'then' in socket ? socket.then((opened) => begin(url, opened, user)) : begin(url, socket, user);
    },
    stop() {
      for (const one of [...kept.values()].flat()) one.end();
      kept.clear();
    },
  };
}

const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

function targetOf({ hostname, port, protocol }: URL): Target {
  const host = hostname.replace(/^\[(.+)\]$/, '$1');
  return { host, port: port === '' ? (PORTS[protocol] ?? 0) : Number(port) };
}

/** A connection between two requests. */
interface KeptConnection {
  isUsable(): boolean;
  serve(user: ConnectionUser): PutConnection;
  end(): void;
}

/** A socket, plain or TLS. */
type AnySocket = Duplex & Partial<Pick<Socket, 'connecting' | 'setTimeout' | 'ref' | 'unref'>>;

interface Keeper {
  keep(connection: KeptConnection): void;
  gone(connection: KeptConnection): void;
}

function createConnection(socket: AnySocket, keeper: Keeper): KeptConnection {
  let user: ConnectionUser | undefined;
  let reader: AnswerReader = createAnswerReader();
  let requests = 0;
  /** Called once the socket has accepted what is being written, or is gone. */
  let writing: (() => void) | undefined;
  let isReleased = false;
  let writeError: Error | undefined;
  let isReady = socket.connecting !== true;
  const readyEvent = 'encrypted' in socket ? 'secureConnect' : 'connect';

  function written(): void {
    const done = writing;
    writing = undefined;
    done?.();
    if (isReleased) keep();
  }

  function over(error: Error): void {
    const last = user;
    user = undefined;
    last?.onEnd(error);
  }

  function read(bytes: Buffer): void {
    // Nothing was asked: whatever this is, it is no answer to the next request
    if (user === undefined) return void socket.destroy();
    try {
      const answer = reader.push(bytes);
      if (reader.hasHead) user.onHead();
      if (answer !== undefined) user.onAnswer(answer);
    } catch (error) {
      socket.destroy();
      over(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function keep(): void {
    isReleased = false;
    if (!connection.isUsable()) return void socket.destroy();
    socket.setTimeout?.(KEEP_ALIVE_MS);
    socket.unref?.();
    keeper.keep(connection);
  }

  holdWriteErrors(socket, (error) => {
    writeError = error;
    user?.onWriteError(error);
  });
  socket.on('data', read);
  socket.once('end', () => {
    const rest = reader.end();
    if (rest !== undefined) user?.onAnswer(rest);
  });
  socket.on('error', over);
  socket.on('timeout', () => {
    const late = Object.assign(new Error('nothing was transferred for too long'), { code: 'ETIMEDOUT' });
    socket.destroy(user === undefined ? undefined : late);
  });
  socket.once('close', () => {
    keeper.gone(connection);
    over(new Error('the connection closed'));
    written();
  });
  socket.once(readyEvent, () => (isReady = true));

  const active: PutConnection = {
    get wasReused() {
      return requests > 1;
    },
    get isReady() {
      return isReady;
    },
    onReady: (callback) => void socket.once(readyEvent, callback),
    write(head, piece) {
      return new Promise((resolve) => {
        writing = resolve;
        if (head === '') return void socket.write(piece, written);
        socket.cork();
        socket.write(head, 'latin1');
        socket.write(piece, written);
        socket.uncork();
      });
    },
    destroy(error) {
      user = error === undefined ? undefined : user;
      socket.destroy(error);
    },
    release() {
      user = undefined;
      if (writing === undefined) keep();
      else isReleased = true;
    },
  };
  const connection: KeptConnection = {
    isUsable: () => socket.writable && socket.readable && writeError === undefined,
    serve(next) {
      user = next;
      requests += 1;
      reader = createAnswerReader();
      socket.setTimeout?.(next.idleTimeoutMs);
      socket.ref?.();
      return active;
    },
    end: () => void socket.destroy(),
  };
  return connection;
}

/**
 * If a server answers early and closes, the next write fails, and Node then destroys the socket along with the answer
 * in its receive buffer. Here a failed write counts as done: the sender is notified and stops, and the socket continues
 * to read until the answer, the end or the grace time.
 */
function holdWriteErrors(socket: AnySocket, notify: (error: Error) => void): void {
  const held = (done: (error?: Error | null) => void) => (error?: Error | null) => {
    if (!error || socket.connecting === true) return done(error);
    notify(error);
    done();
  };
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, held(done));
  const writeMany = socket._writev?.bind(socket);
  if (writeMany !== undefined) socket._writev = (chunks, done) => writeMany(chunks, held(done));
}

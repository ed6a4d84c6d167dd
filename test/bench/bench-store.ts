import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { installSwift } from '../contract/swift/install-swift.ts';
import { startSwift } from '../contract/swift/start-swift.ts';
import { SWIFT_KEY, SWIFT_SECRET } from '../contract/swift/swift-config.ts';
import { defaultSettings } from '../simulator/settings.ts';
import { createSimulatorClock } from '../simulator/simulator-clock.ts';
import type { StorageBackend } from '../simulator/storage/backend.ts';
import { openS3Backend } from '../simulator/storage/s3-backend.ts';
import { askSink, createSinkBackend } from './sink-backend.ts';

/** The store that all sides of a run upload to. */
export interface BenchStore {
  readonly name: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Process whose CPU time is shown next to that of the senders; undefined if the store has several. */
  readonly pid: number | undefined;
  /** The endpoint for the senders. */
  endpoint(): string;
  /** The endpoint for the bench's own requests. */
  ownEndpoint(): string;
  /** The certificate authority of the endpoint, which all senders have to trust. */
  readonly caFile?: string;
  /** An address on the default port of http, the only port that awscli's CRT client can use. */
  readonly crtEndpoint?: string;
  /** The same store as the simulated service sees it. */
  openBackend(): Promise<StorageBackend>;
  /** Removes every object. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** The ports of the sink, without TLS and with it. */
interface SinkPorts {
  readonly port: number;
  readonly tlsPort: number;
  readonly hasCrtPort: boolean;
}

const BUCKET = 'bench';
/** A loopback address that nothing else on this machine uses. */
const CRT_HOST = '127.0.0.9';
/** Swift's proxy is up before the servers behind it are: until they are, it answers 503. */
const BUCKET_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 200;

/** The authority that signed the sink's certificate. */
const CA_FILE = fileURLToPath(new URL('../fixtures/tls/ca.crt', import.meta.url));

/** Starts the store that reads and discards. */
export async function startSink(etags: 'opaque' | 'md5', withTls: boolean): Promise<BenchStore> {
  const child = fork(new URL('./sink-store.ts', import.meta.url), [etags]);
  const { port, tlsPort, hasCrtPort } = await new Promise<SinkPorts>((resolve, reject) => {
    child.once('message', (message: SinkPorts) => resolve(message));
    child.once('exit', () => reject(new Error('The sink did not start')));
  });
  const ownEndpoint = `http://127.0.0.1:${port}`;
  const endpoint = withTls ? `https://127.0.0.1:${tlsPort}` : ownEndpoint;
  return {
    name: `sink that discards, ${etags === 'md5' ? 'MD5' : 'opaque'} etags${withTls ? ', TLS' : ''}`,
    ...(withTls && { caFile: CA_FILE }),
    ...(!withTls && hasCrtPort && { crtEndpoint: `http://${CRT_HOST}` }),
    bucket: BUCKET,
    accessKeyId: 'bench-key',
    secretAccessKey: 'bench-secret',
    pid: child.pid,
    endpoint: () => endpoint,
    ownEndpoint: () => ownEndpoint,
    openBackend: async () => createSinkBackend({ endpoint, ownEndpoint, bucket: BUCKET }),
    clear: async () => void (await askSink(ownEndpoint, 'clear')),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

/** Starts OpenStack Swift; it keeps its objects on disk, so it is cleared by starting a new one. */
export async function startSwiftStore(): Promise<BenchStore> {
  const installed = await installSwift();
  if (!installed.ok) throw new Error(installed.error);
  let swift = await startSwift();
  const open = () => {
    const options = {
      endpoint: swift.endpoint,
      accessKeyId: SWIFT_KEY,
      secretAccessKey: SWIFT_SECRET,
      bucket: BUCKET,
    };
    return openS3Backend(options, { settings: defaultSettings, clock: createSimulatorClock(() => 0) });
  };
  const makeBucket = async (): Promise<void> => {
    const deadline = AbortSignal.timeout(BUCKET_LIMIT_MS);
    for (;;) {
      try {
        return await (await open()).stop();
      } catch (error) {
        if (deadline.aborted) throw error;
        await sleep(LOOK_AGAIN_MS);
      }
    }
  };
  await makeBucket();
  return {
    name: 'OpenStack Swift',
    bucket: BUCKET,
    accessKeyId: SWIFT_KEY,
    secretAccessKey: SWIFT_SECRET,
    pid: undefined,
    endpoint: () => swift.endpoint,
    ownEndpoint: () => swift.endpoint,
    openBackend: open,
    async clear() {
      await swift.stop();
      swift = await startSwift();
      await makeBucket();
    },
    stop: () => swift.stop(),
  };
}

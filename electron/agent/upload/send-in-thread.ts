import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { fileChanged } from '../files/file-failures.ts';
import { differenceOf } from '../files/opened-file.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { FileLook } from '../files/snapshot-file.ts';
import { createSnapshotReader, type SnapshotReader } from '../files/snapshot-reader.ts';
import { inThread, type SourceFile } from '../files/source-file.ts';
import type { Clock, WorkerThreads } from '../ports.ts';
import type { JobOutcome } from '../queue/outcome.ts';
import { trustedAuthorities, type ProxyRoute } from '../service/proxy-route.ts';
import type { RateLimit } from '../service/rate-limit.ts';
import { putOutcome } from '../service/signed-put.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { urlRulesOf } from './connect-storage.ts';
import type { EtagCache } from './etag-cache.ts';
import { fileOutcome, type SendOutcome } from './send-outcome.ts';
import { wantedSums, type ProveSent } from './send-range.ts';
import { isSnapshot, type Grant, type SmallFile } from './small-files.ts';
import type { SendAnswer, SendRequest, SendWay } from './thread/send-worker.ts';

/** Creates the threads that read small files, and send them whole. */
export function createSmallFileThreads(
  { settings, watchFolders }: AgentConfig,
  clock: Clock,
  threads: WorkerThreads,
): SnapshotReader {
  const reader = createSnapshotReader(clock, threads, {
    url: new URL('./thread/send-worker.ts', import.meta.url),
    opening: (): SendWay => ({ ...urlRulesOf(settings), authorities: trustedAuthorities() }),
  });
  // Each starts beside the rest of the agent: the first scan needs it, then the first clip
  if (watchFolders !== false) for (const { path } of settings.watch) reader.warmUp(path);
  return reader;
}

/** What sending in a thread needs. */
export interface ThreadDeps {
  readonly gates: RootGates;
  readonly snapshots: Pick<SnapshotReader, 'start'>;
  readonly proveSent: ProveSent;
  readonly limiter: RateLimit;
  /** Threads connect directly. */
  readonly route: Pick<ProxyRoute, 'proxyFor'>;
  readonly etags: EtagCache;
}

/**
 * Whether the thread of its root sends the file whole: it is small, and under the present limit it would be sent in one
 * piece anyway. Threads know nothing of proxies.
 */
export function isForThread(
  { limiter, route }: ThreadDeps,
  file: SmallFile,
  grant: Grant | undefined,
): boolean {
  const url = grant?.ok === true ? grant.value.urls[0]?.url : undefined;
  if (url === undefined || !isSnapshot(file) || file.version.sizeBytes > limiter.chunkBytes) return false;
  const { hostname, port } = url;
  return url.protocol === 'http:' || route.proxyFor({ hostname, port: Number(port || 443) }) === undefined;
}

/** The outcome of a job whose file could not be read. */
export const unread = (failure: Failure, signal: AbortSignal): JobOutcome =>
  signal.aborted ? { kind: 'interrupted' } : fileOutcome(failure);

/** How a file in one piece is named and counted. */
export const partOf = ({ path, version, isThumbnail, clipId }: SmallFile) => ({
  step: 'object' as const,
  length: version.sizeBytes,
  name: path,
  isThumbnail,
  meterKey: isThumbnail ? undefined : clipId,
});

/** How sending a file ended, and what knows whether the file is still the same. */
export interface SentOnce {
  readonly outcome: SendOutcome;
  readonly evidence: Pick<SourceFile, 'verifyUnchanged'>;
}

/** Lets the thread of its root send a file. Rejects with the signal's reason. */
export async function sendInThread(
  deps: ThreadDeps,
  file: SmallFile,
  url: URL,
  signal: AbortSignal,
): Promise<SentOnce> {
  const { rootPath, path: name, version } = file;
  await deps.limiter.take(version.sizeBytes, signal);
  const { md5: withMd5 } = wantedSums(deps.etags, url.host);
  const done = await inThread(deps.gates, file, signal, (path) => {
    const request: SendRequest = { path, rootPath, name, version, withMd5, url: url.href };
    return deps.snapshots.start<SendAnswer>(request, signal);
  });
  if (!done.ok)
    return { outcome: { kind: 'stop', outcome: unread(done.error, signal) }, evidence: neverSent };
  const { ended, look, version: read, ...sums } = done.value;
  const evidence = { verifyUnchanged: async () => seenAgain(deps.gates, file, read, look, signal) };
  const part = { ...partOf(file), evidence, url, put: putOutcome(ended, url.host) };
  const outcome = await deps.proveSent({ ...part, sums: { ...sums, sizeBytes: version.sizeBytes } });
  return { outcome, evidence };
}

const neverSent: SentOnce['evidence'] = {
  verifyUnchanged: async () => {
    throw new Error('Nothing was sent of this file');
  },
};

/** What a look at the file after its PUT says about it. */
async function seenAgain(
  gates: RootGates,
  file: SmallFile,
  read: FileVersion,
  look: Result<FileLook, Failure>,
  signal: AbortSignal,
): ReturnType<SourceFile['verifyUnchanged']> {
  const seen = look.ok ? look : await inThread<FileLook>(gates, file, signal, async () => look);
  if (!seen.ok) return seen;
  const change = differenceOf(read, seen.value.version);
  if (change !== undefined) return err(fileChanged(file.path, change));
  return ok({ isTouched: false, ctimeNs: seen.value.ctimeNs });
}

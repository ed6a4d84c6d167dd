import type { Failure } from '../../../shared/domain/failure.ts';
import type { RootGates } from '../files/root-gate.ts';
import { judgeUnread, readByThread, snapshotRequestOf, type ReadFile } from '../files/source-file.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { EtagCache } from './etag-cache.ts';
import type { SendOutcome } from './send-outcome.ts';
import { wantedSums, type ProveSent } from './send-range.ts';
import type { SendThreads } from './send-threads.ts';
import type { SentFile } from './send-worker.ts';
import { isSnapshot, type SmallFile } from './small-files.ts';
import type { Grant } from './small-files.ts';
import type { UploadGrant } from './upload-urls.ts';

/** What handing files to the threads needs. */
export interface HandOverDeps {
  readonly circuits: Pick<Circuits, 'mayCall'>;
  /** True once the program is about to end: nothing more is begun. */
  readonly isEnding: () => boolean;
  readonly gates: RootGates;
  readonly etags: EtagCache;
  readonly senders: SendThreads;
  readonly proveSent: ProveSent;
  readonly isDirect: (url: URL) => boolean;
}

/** How a file of a batch came back from its thread. */
export type HandedBack =
  | { readonly kind: 'left' }
  | { readonly kind: 'unread'; readonly failure: Failure }
  | {
      readonly kind: 'sent';
      readonly evidence: ReadFile;
      readonly grant: UploadGrant;
      readonly outcome: SendOutcome;
    };

/** Fewer are sent from here: a thread costs as much as some twenty files. */
const LEAST_FILES = 8;

/**
 * Hands those files of a batch that a thread can send whole to the thread of their root, in one message. Answers them
 * with what becomes of each; all others are to be sent from here, and so is a file that is `left`. `lanes`: files of the
 * batch on the line at once.
 */
export function handOver(
  deps: HandOverDeps,
  grants: ReadonlyMap<SmallFile, Grant | undefined>,
  lanes: number,
  signal: AbortSignal,
): ReadonlyMap<SmallFile, Promise<HandedBack>> {
  const handed = new Map<SmallFile, Promise<HandedBack>>();
  const meant = [...grants].flatMap(([file, grant]) => {
    if (grant?.ok !== true) return [];
    const url = grant.value.urls[0]?.url;
    return url !== undefined && isForThread(deps, file, grant.value, url)
      ? [{ file, grant: grant.value, url }]
      : [];
  });
  for (const group of Map.groupBy(meant, ({ file }) => file.rootPath).values()) {
    const [first] = group;
    if (first === undefined || group.length < LEAST_FILES) continue;
    const toSend = group.map(({ file, url }) => ({
      ...snapshotRequestOf(file),
      withMd5: wantedSums(deps.etags, url.host).md5,
      url: url.href,
    }));
    const sending = deps.senders.send(first.file.rootPath, toSend, lanes, signal);
    for (const [index, { file, grant, url }] of group.entries()) {
      const sent = sending[index];
      if (sent !== undefined) handed.set(file, comesBack(deps, { file, grant, url }, sent, signal));
    }
  }
  return handed;
}

function isForThread(
  { circuits, isEnding, gates, senders, isDirect }: HandOverDeps,
  file: SmallFile,
  { maxSizeBytes = Infinity }: UploadGrant,
  url: URL,
): boolean {
  return (
    !isEnding() &&
    circuits.mayCall('object', file.job.subject) &&
    isSnapshot(file) &&
    file.version.sizeBytes <= maxSizeBytes &&
    isDirect(url) &&
    senders.canSend(file.rootPath) &&
    gates.of(file.rootPath).problem() === undefined
  );
}

interface Handed {
  readonly file: SmallFile;
  readonly grant: UploadGrant;
  readonly url: URL;
}

async function comesBack(
  { gates, proveSent }: HandOverDeps,
  { file, grant, url }: Handed,
  sending: Promise<SentFile>,
  signal: AbortSignal,
): Promise<HandedBack> {
  const sent = await sending;
  if (sent.kind === 'left') return sent;
  if (sent.kind === 'unread')
    return { kind: 'unread', failure: await judgeUnread(gates, file, sent.failure, signal) };
  const { put, sums, look } = sent;
  const evidence = readByThread(gates, file, look, signal);
  const { sizeBytes } = file.version;
  const outcome = await proveSent({
    evidence,
    put,
    sums: { ...sums, sizeBytes },
    url,
    step: 'object',
    length: sizeBytes,
    name: file.path,
    meterKey: file.isThumbnail ? undefined : file.clipId,
  });
  return { kind: 'sent', evidence, grant, outcome };
}

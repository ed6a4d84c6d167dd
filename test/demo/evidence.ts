import type { Simulator, StoredIncident } from '../simulator/index.ts';
import type { Source } from './make-samples.ts';
import type { ToldEvent } from './run-agent.ts';
import { sha256Of } from './sha256.ts';

/** Everything that the verdict is based on; of the agent's own records only `events` are used. */
export interface Evidence {
  /** Files of the exports as they were made, by `samplePath`. */
  readonly sources: ReadonlyMap<string, Source>;
  /** When the last bytes of slowly written clips were written, milliseconds since 1970, by `samplePath`. */
  readonly wholeSince: ReadonlyMap<string, number>;
  readonly incidents: readonly StoredIncident[];
  /** Objects in storage as they were read back, by key. */
  readonly objects: ReadonlyMap<string, Source>;
  /** Keys of multipart uploads that were neither completed nor aborted. */
  readonly openUploads: readonly string[];
  /** When the first bytes of a file were sent to storage, milliseconds since 1970, by file id. */
  readonly firstSentAt: ReadonlyMap<string, number>;
  readonly events: readonly ToldEvent[];
  /** Output lines of the agent that are not events. */
  readonly notes: readonly string[];
  readonly apiKey: string;
  /** Undefined while the agent is running. */
  readonly exit: number | string | undefined;
}

/** The part of the evidence that comes from service and storage. */
export type StoredEvidence = Pick<
  Evidence,
  'incidents' | 'objects' | 'openUploads' | 'firstSentAt' | 'apiKey'
>;

/** Reads back what service and storage have. */
export async function readBack(
  simulator: Pick<Simulator, 'incidents' | 'objects' | 'readObject' | 'openUploads' | 'requests' | 'apiKey'>,
): Promise<StoredEvidence> {
  const objects = new Map<string, Source>();
  for (const { key, sizeBytes } of await simulator.objects()) {
    objects.set(key, { sizeBytes, sha256: await sha256Of(simulator.readObject(key)) });
  }
  return {
    incidents: [...simulator.incidents().values()],
    objects,
    openUploads: (await simulator.openUploads()).map(({ key }) => key),
    firstSentAt: firstSends(simulator.requests),
    apiKey: simulator.apiKey,
  };
}

function firstSends(requests: Simulator['requests']): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const call of ['putObject', 'putPart'] as const) {
    for (const { fileIds, at } of requests.of(call)) {
      for (const id of fileIds) first.set(id, Math.min(first.get(id) ?? at, at));
    }
  }
  return first;
}

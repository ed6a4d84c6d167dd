import { ok } from '../../shared/lib/result.ts';
import type { StorageBackend, StoredObject } from '../simulator/storage/backend.ts';

/** The sink's figures about itself. `atMs` is its own monotonic clock, `firstPutAtMs` wall-clock time. */
export interface SinkFigures {
  readonly atMs: number;
  readonly receivedBytes: number;
  readonly firstPutAtMs?: number;
  readonly keys: readonly (readonly [key: string, sizeBytes: number])[];
}

/** Queries the sink; `keys` returns those after the first `since`. */
export async function askSink(
  endpoint: string,
  what: 'clear' | 'figures' | 'keys',
  since = 0,
): Promise<SinkFigures> {
  const answer = await fetch(`${endpoint}/-/${what}?since=${since}`);
  return (await answer.json()) as SinkFigures;
}

/** As long as real ones, so that they cost as much to transfer. The sink checks no signature, so none is computed. */
const SIGNATURE = 'f'.repeat(64);

interface SinkAddresses {
  /** For signed URLs. */
  readonly endpoint: string;
  /** For requests of the service itself. */
  readonly ownEndpoint: string;
  readonly bucket: string;
}

/**
 * The sink as the service sees it. It asks the sink for new objects only when it meets an unknown one: otherwise the
 * time that the service spends on asking its own store would be measured instead of the agent.
 */
export function createSinkBackend({ endpoint, ownEndpoint, bucket }: SinkAddresses): StorageBackend {
  const known = new Map<string, number>();
  const at = (key: string): string => `${ownEndpoint}/${bucket}/${key}`;

  async function learn(): Promise<void> {
    const { keys } = await askSink(ownEndpoint, 'keys', known.size);
    for (const [key, sizeBytes] of keys) known.set(key.slice(bucket.length + 1), sizeBytes);
  }

  function sign(key: string, query = ''): string {
    const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const scope = encodeURIComponent(`bench-key/${date.slice(0, 8)}/us-east-1/s3/aws4_request`);
    const terms = `X-Amz-Credential=${scope}&X-Amz-Date=${date}&X-Amz-Expires=7200&X-Amz-SignedHeaders=host`;
    return `${endpoint}/${bucket}/${key}?X-Amz-Algorithm=AWS4-HMAC-SHA256&${terms}&X-Amz-Signature=${SIGNATURE}${query}`;
  }

  return {
    kind: 's3',
    url: endpoint,
    async createUpload(key) {
      const answer = await fetch(`${at(key)}?uploads`, { method: 'POST' });
      const id = /<UploadId>([^<]+)</.exec(await answer.text())?.[1];
      if (id === undefined) throw new Error('The sink opened an upload without an id');
      return id;
    },
    isUploadOpen: async () => true,
    signPut: async (key) => sign(key),
    signPart: async (key, uploadId, number) => sign(key, `&partNumber=${number}&uploadId=${uploadId}`),
    async completeUpload(key, uploadId, parts) {
      const list = parts.map(
        ({ partNumber, etag }) => `<PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag>`,
      );
      const answer = await fetch(`${at(key)}?uploadId=${uploadId}`, { method: 'POST', body: list.join('') });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`The sink refused to complete ${key}: ${text}`);
      return ok({ etag: /<ETag>"?([^"<]+)/.exec(text)?.[1] ?? '' });
    },
    async abortUpload(key, uploadId) {
      await fetch(`${at(key)}?uploadId=${uploadId}`, { method: 'DELETE' });
      return ok(undefined);
    },
    async hasObject(key) {
      if (!known.has(key)) await learn();
      return known.has(key);
    },
    async objects() {
      await learn();
      return [...known].map(([key, sizeBytes]): StoredObject => ({ key, sizeBytes, etag: '' }));
    },
    readObject: () => {
      throw new Error('The sink keeps no bytes');
    },
    sha256OfObject: () => Promise.reject(new Error('The sink keeps no bytes')),
    openUploads: async () => [],
    offline: async () => undefined,
    online: async () => undefined,
    stop: async () => undefined,
  };
}

import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { requestIdSchema } from '../../../shared/domain/failure.ts';
import { isSameVersion, type FileVersion } from '../core/settle/file-seen.ts';
import { withIds } from '../core/text/redact.ts';
import type { Secrets } from '../ports.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { GrantRow } from '../store/multipart-rows.ts';
import type { Tables } from '../store/tables.ts';
import { EACH_TURN, type UploadGrant, type UploadUrls } from './upload-urls.ts';

/** A version of a file that is sent in one piece. */
interface KeptFor {
  readonly fileId: string;
  readonly version: Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>;
}

/**
 * Stores where files in one piece are being sent, before the first byte: when an answer is lost on the line or in a
 * kill, the file is sent to the same key again while its URL is valid. A new URL has a new key, and the first object
 * would remain in storage without an incident that lists it. A signed URL is never readable on the disk: it is
 * encrypted with a key derived from the API key, whose owner could request URLs anyway.
 */
export interface KeptGrants {
  /** The grants under which storage may have these files, by file ID, while their URLs are valid. */
  of(files: readonly KeptFor[]): Promise<ReadonlyMap<string, UploadGrant>>;
  /** Resolves once they are stored durably; without an API key nothing is kept. */
  keep(grants: readonly (KeptFor & { readonly grant: UploadGrant })[]): Promise<void>;
  /** For a file that storage does not have, or whose clip knows that it does. Call inside a transaction. */
  drop(file: KeptFor): void;
  /** For bytes in storage that the file no longer has: its next version goes to the same key. Call as `drop`. */
  reuse(file: KeptFor): void;
}

/** The encrypted data: the URL, and the request IDs and size limit (bytes) of the answer that granted it. */
const sealedSchema = z.object({
  url: z.string(),
  requestIds: z.array(requestIdSchema),
  maxSizeBytes: z.number().optional(),
});

interface KeepDeps {
  readonly tables: Pick<Tables, 'gathered' | 'grants' | 'held' | 'synced' | 'writeUnsynced'>;
  readonly secrets: Pick<Secrets, 'apiKey'>;
  readonly uploadUrls: Pick<UploadUrls, 'again'>;
  readonly serviceClock: Pick<ServiceClock, 'now'>;
}

/** Creates the kept grants. */
export function createKeptGrants({ tables, secrets, uploadUrls, serviceClock }: KeepDeps): KeptGrants {
  async function sealer(): Promise<Sealer | undefined> {
    const apiKey = await secrets.apiKey().catch(() => undefined);
    return apiKey === undefined ? undefined : createSealer(apiKey);
  }

  const drop = tables.gathered('grants', (fileIds: readonly string[]) => tables.grants.remove(fileIds));

  function opened(row: GrantRow, open: Sealer['open']): UploadGrant | undefined {
    const text = open(row.sealedUrl, row.fileId);
    if (text === undefined) return undefined;
    const { url, requestIds, maxSizeBytes } = sealedSchema.parse(JSON.parse(text));
    const { storageKey, useUntil: useUntilMs } = row;
    const grant = uploadUrls.again({ storageKey, url, useUntilMs, maxSizeBytes });
    return grant && { ...grant, ...withIds(requestIds) };
  }

  return {
    async of(files) {
      const grants = new Map<string, UploadGrant>();
      const now = serviceClock.now();
      const rows = tables.grants.ofFiles(files.map(({ fileId }) => fileId));
      const live = new Map(rows.filter(({ useUntil }) => now < useUntil).map((row) => [row.fileId, row]));
      const seal = live.size === 0 ? undefined : await sealer();
      for (const { fileId, version } of seal === undefined ? [] : files) {
        const row = live.get(fileId);
        const isMeant = row?.sizeBytes === -1 || (row && isSameVersion(row, version));
        const grant = isMeant === true && seal !== undefined ? opened(row, seal.open) : undefined;
        // A file that is too large for it is requested again: the limit may have changed
        if (grant !== undefined && version.sizeBytes <= (grant.maxSizeBytes ?? Infinity))
          grants.set(fileId, grant);
      }
      return grants;
    },
    async keep(grants) {
      const seal = grants.length === 0 ? undefined : await sealer();
      if (seal === undefined) return;
      const rows: GrantRow[] = [];
      for (const [index, one] of grants.entries()) {
        if (index > 0 && index % EACH_TURN === 0) await nextTurn();
        rows.push(...sealed(one, seal));
      }
      // In a transaction of its own: the whole batch waits for it, and the next group's may be 40 ms away
      await tables.held();
      tables.writeUnsynced(() => {
        tables.grants.removeLapsed(serviceClock.now());
        tables.grants.put(rows);
      });
      await tables.synced();
    },
    drop: ({ fileId }) => drop(fileId),
    reuse: ({ fileId }) => void tables.grants.forAnyVersion(fileId),
  };
}

/** The row of a grant; none if it has no URL. */
function sealed(
  { fileId, version: { sizeBytes, mtimeNs }, grant }: KeptFor & { readonly grant: UploadGrant },
  { seal }: Sealer,
): readonly GrantRow[] {
  const [first] = grant.urls;
  if (first === undefined) return [];
  const { storageKey, requestIds = [], maxSizeBytes } = grant;
  const sealedUrl = seal(JSON.stringify({ url: first.url.href, requestIds, maxSizeBytes }), fileId);
  return [{ fileId, sizeBytes, mtimeNs, storageKey, useUntil: Math.floor(first.useUntilMs), sealedUrl }];
}

interface Sealer {
  seal(text: string, fileId: string): string;
  /** Undefined for text that was sealed under another key, or for another file. */
  open(sealed: string, fileId: string): string | undefined;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
/** Generated in one call, which costs as much for a whole batch as for one. */
const NONCES_AT_ONCE = 50;
const TAG_BYTES = 16;

function createSealer(apiKey: string): Sealer {
  const bytes = hkdfSync('sha256', apiKey, '', 'vms-export-agent: signed URLs at rest', 32);
  // From raw bytes, each cipher would create a key object of its own, at twice the time
  const key = createSecretKey(Buffer.from(bytes));
  let nonces = Buffer.alloc(0);
  return {
    seal(text, fileId) {
      if (nonces.length === 0) nonces = randomBytes(NONCE_BYTES * NONCES_AT_ONCE);
      const nonce = nonces.subarray(0, NONCE_BYTES);
      nonces = nonces.subarray(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(fileId));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, fileId) {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(fileId)).setAuthTag(tag);
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

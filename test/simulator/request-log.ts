import type { Call } from './calls.ts';

/** One request as it was received. `status` is missing while it is open and when no answer was sent. */
export interface LoggedRequest {
  readonly sequence: number;
  readonly at: number;
  readonly listener: 'service' | 'storage';
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The query as it was sent, encoded and with repeated names; key and signatures are redacted. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  call: Call;
  body?: unknown;
  bytesReceived: number;
  status?: number;
  /** The connection ended without a whole answer, because of a rule or because the client left. */
  dropped?: boolean;
  faultId?: string;
  incidentId?: string;
  /** The files that the request is about; `getUploadUrls` can be about many. */
  fileIds: readonly string[];
  fileId?: string;
  partNumber?: number;
  uploadId?: string;
  key?: string;
  endedAt?: number;
  /** Request id of its answer: `x-request-id` of the service, `x-amz-request-id` of storage. */
  requestId?: string | undefined;
}

/** Fields that a logged request must match; `fileId` is compared with all of its files. */
export interface RequestFilter {
  readonly incidentId?: string;
  readonly fileId?: string;
  readonly partNumber?: number;
  readonly uploadId?: string;
  readonly key?: string;
  readonly status?: number;
}

/** Every request to service and storage, in the order of arrival. */
export interface RequestLog {
  all(): readonly LoggedRequest[];
  of(call: Call, filter?: RequestFilter): readonly LoggedRequest[];
  /** Resolves with all matching requests when at least `count` of them have ended. */
  ended(call: Call, count?: number, filter?: RequestFilter): Promise<readonly LoggedRequest[]>;
  clear(): void;
}

export interface WritableRequestLog extends RequestLog {
  begin(entry: Omit<LoggedRequest, 'sequence'>): LoggedRequest;
  end(entry: LoggedRequest, at: number): void;
}

/** The oldest requests are dropped beyond this many, so that a soak does not fill the memory. */
const MAX_REQUESTS = 500_000;

export function fits(entry: LoggedRequest, call: Call, filter: RequestFilter = {}): boolean {
  return (
    entry.call === call &&
    (filter.incidentId === undefined || entry.incidentId === filter.incidentId) &&
    (filter.fileId === undefined || entry.fileIds.includes(filter.fileId)) &&
    (filter.partNumber === undefined || entry.partNumber === filter.partNumber) &&
    (filter.uploadId === undefined || entry.uploadId === filter.uploadId) &&
    (filter.key === undefined || entry.key === filter.key) &&
    (filter.status === undefined || entry.status === filter.status)
  );
}

export function createRequestLog(): WritableRequestLog {
  let entries: LoggedRequest[] = [];
  let sequence = 0;
  const waiting = new Set<() => void>();
  const of = (call: Call, filter?: RequestFilter) => entries.filter((entry) => fits(entry, call, filter));
  return {
    all: () => entries,
    of,
    ended(call, count = 1, filter) {
      return new Promise((resolve) => {
        const look = () => {
          const found = of(call, filter).filter((entry) => entry.endedAt !== undefined);
          if (found.length < count) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    clear() {
      entries = [];
    },
    begin(fields) {
      sequence += 1;
      const entry = { sequence, ...fields };
      entries.push(entry);
      if (entries.length > MAX_REQUESTS) entries = entries.slice(MAX_REQUESTS / 10);
      return entry;
    },
    end(entry, at) {
      entry.endedAt = at;
      for (const look of [...waiting]) look();
    },
  };
}

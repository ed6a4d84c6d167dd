import { request } from 'node:http';
import type { Simulator } from '../../simulator/index.ts';

export interface CallOptions {
  readonly body?: unknown;
  readonly rawBody?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the simulator's key as a bearer. */
  readonly authorization?: string | undefined;
}

export interface CallAnswer {
  readonly status: number;
  /** Parsed JSON of any shape; tests read the fields they expect. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** One call to the service over plain node:http, so that nothing is added or normalised. */
export function callService(
  simulator: Simulator,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<CallAnswer> {
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const authorization = 'authorization' in options ? options.authorization : `Bearer ${simulator.apiKey}`;
  const headers = {
    ...(authorization !== undefined && { authorization }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(simulator.baseUrl + path, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, body: parse(text), text, headers: response.headers });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A signed URL for an upload in one piece, with its storage key. */
export async function askSingleUrl(
  simulator: Simulator,
  incidentId: string,
  fileId: string,
  filename = 'clip.mp4',
) {
  const { body } = await callService(simulator, 'POST', `/vms/incidents/${incidentId}/upload_urls`, {
    body: { files: { [fileId]: { filename } } },
  });
  return { key: String(body.uploads[fileId].storage_key), url: String(body.uploads[fileId].signed_urls) };
}

/** An open multipart upload with its part URLs. */
export async function openMultipart(
  simulator: Simulator,
  incidentId: string,
  fileId: string,
  partCount: number,
) {
  const base = `/vms/incidents/${incidentId}`;
  const created = await callService(
    simulator,
    'GET',
    `${base}/create_multipart_upload?file_id=${fileId}&filename=a.mp4`,
  );
  const signed = await callService(simulator, 'POST', `${base}/upload_urls`, {
    body: { files: { [fileId]: { part_count: partCount, ...created.body } } },
  });
  return {
    key: String(created.body.storage_key),
    uploadId: String(created.body.upload_id),
    urls: signed.body.uploads[fileId].signed_urls as readonly string[],
    complete: (parts: readonly string[]) =>
      callService(simulator, 'POST', `${base}/complete_multipart_upload`, {
        body: { ...created.body, parts },
      }),
    abort: () =>
      callService(
        simulator,
        'GET',
        `${base}/abort_multipart_upload?storage_key=${encodeURIComponent(created.body.storage_key)}&upload_id=${created.body.upload_id}`,
      ),
  };
}

import { request, type OutgoingHttpHeaders } from 'node:http';

/** A store's answer to a PUT. */
export interface PutAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  /** The `<Code>` of an error. */
  readonly code: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface PutOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** Chunked transfer coding, without a length. */
  readonly isChunked?: boolean;
  readonly method?: string;
  /** Sends only this many bytes of the body: if the store closes while more are arriving, Node loses the answer. */
  readonly firstBytes?: number;
}

/** Sends bytes to a signed URL with no header that was not asked for. */
export function putBytes(url: string, bytes: Buffer | string, options: PutOptions = {}): Promise<PutAnswer> {
  const body = Buffer.from(bytes);
  const headers = options.isChunked
    ? { 'transfer-encoding': 'chunked', ...options.headers }
    : { 'content-length': body.length, ...options.headers };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: options.method ?? 'PUT', agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        sent.destroy();
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          etag: response.headers.etag,
          code: /<Code>(\w+)<\/Code>/.exec(text)?.[1],
          text,
          headers: response.headers,
        });
      });
    });
    sent.on('error', reject);
    if (options.firstBytes === undefined) sent.end(body);
    else sent.write(body.subarray(0, options.firstBytes));
  });
}

/** Announces more bytes than it sends, and disconnects once the store has begun to read. */
export function putHalf(url: string, sentBytes: Buffer, announcedBytes: number): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'PUT', agent: false, headers: { 'content-length': announcedBytes } });
    sent.on('error', () => undefined);
    sent.on('close', () => resolve());
    sent.write(sentBytes, () => sent.destroy());
  });
}

import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { serveConnection, type BodyTaker, type SinkAnswer, type SinkRequest } from './sink-connection.ts';

// Runs in a process of its own: the smallest S3-like store that rclone, awscli, curl and the agent all upload to. It
// reads and discards, keeps names, sizes and etags, and accepts any signature. With the argument `md5`, etags are real
// MD5s. It also listens with TLS, with the certificate of the TLS tests.

interface Stored {
  readonly sizeBytes: number;
  readonly etag: string;
}

const withMd5 = process.argv[2] === 'md5';
const objects = new Map<string, Stored>();
const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Stored> }>();
let counter = 0;
let receivedBytes = 0;
let firstPutAtMs: number | undefined;

/** Never looks like an MD5 unless it is one: clients do not compare an etag that contains a dash. */
const opaqueEtag = (): string => `"${(++counter).toString(16).padStart(32, '0')}-1"`;

function begin(request: SinkRequest): BodyTaker {
  const url = new URL(request.target, 'http://sink');
  if (request.method === 'PUT' && url.pathname.lastIndexOf('/') > 0) return takeBytes(request, url);
  const chunks: Buffer[] = [];
  return {
    take: (chunk) => void chunks.push(chunk),
    end: () => answer(request.method, url, Buffer.concat(chunks).toString('utf8')),
  };
}

/** Reads the body of an object or a part: counted, hashed if asked for, and discarded. */
function takeBytes(request: SinkRequest, url: URL): BodyTaker {
  firstPutAtMs ??= Date.now();
  const hash: Hash | undefined = withMd5 ? createHash('md5') : undefined;
  return {
    take(chunk) {
      receivedBytes += chunk.length;
      hash?.update(chunk);
    },
    end() {
      const etag = hash === undefined ? opaqueEtag() : `"${hash.digest('hex')}"`;
      // Senders that frame their bodies with checksums state the real length separately
      const sizeBytes = Number(request.header('x-amz-decoded-content-length') ?? request.lengthBytes);
      const uploadId = url.searchParams.get('uploadId');
      const parts = uploadId === null ? undefined : uploads.get(uploadId)?.parts;
      if (uploadId !== null && parts === undefined) return xmlError(404, 'NoSuchUpload');
      if (parts === undefined) objects.set(keyOf(url), { sizeBytes, etag });
      else parts.set(Number(url.searchParams.get('partNumber')), { sizeBytes, etag });
      return { status: 200, headers: { ETag: etag } };
    },
  };
}

function answer(method: string, url: URL, body: string): SinkAnswer {
  const { pathname, searchParams: query } = url;
  if (pathname.startsWith('/-/')) return control(pathname.slice(3), query);
  const isBucket = pathname.replace(/\/$/, '').lastIndexOf('/') <= 0;
  const uploadId = query.get('uploadId');
  if (method === 'POST' && query.has('uploads')) return openUpload(url);
  if (method === 'POST' && uploadId !== null) return completeUpload(url, uploadId, body);
  if (method === 'DELETE') {
    if (uploadId !== null) uploads.delete(uploadId);
    else objects.delete(keyOf(url));
    return { status: 204 };
  }
  if (isBucket) return method === 'GET' ? list(url) : { status: 200 };
  if (method === 'HEAD') return head(url);
  return xmlError(501, 'NotImplemented');
}

/** Requests of the bench: how much has arrived, which objects are new, and forgetting all of it. */
function control(name: string, query: URLSearchParams): SinkAnswer {
  if (name === 'clear') {
    objects.clear();
    uploads.clear();
    [receivedBytes, firstPutAtMs] = [0, undefined];
  }
  const since = Number(query.get('since') ?? 0);
  const keys =
    name === 'keys' ? [...objects].slice(since).map(([key, { sizeBytes }]) => [key, sizeBytes]) : [];
  return {
    status: 200,
    body: JSON.stringify({ atMs: performance.now(), receivedBytes, firstPutAtMs, keys }),
  };
}

function openUpload(url: URL): SinkAnswer {
  const uploadId = `upload-${++counter}`;
  uploads.set(uploadId, { key: keyOf(url), parts: new Map() });
  const [, bucket = ''] = url.pathname.split('/');
  const names = `<Bucket>${bucket}</Bucket><Key>${keyOf(url).slice(bucket.length + 1)}</Key>`;
  return xml(200, 'InitiateMultipartUploadResult', `${names}<UploadId>${uploadId}</UploadId>`);
}

function completeUpload(url: URL, uploadId: string, body: string): SinkAnswer {
  const upload = uploads.get(uploadId);
  if (upload === undefined) return xmlError(404, 'NoSuchUpload');
  const numbers = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map((match) => Number(match[1]));
  const parts = numbers.map((number) => upload.parts.get(number));
  if (numbers.some((number, index) => number !== index + 1) || parts.length !== upload.parts.size)
    return xmlError(400, 'InvalidPart');
  const sizeBytes = parts.reduce((sum, part) => sum + (part?.sizeBytes ?? Number.NaN), 0);
  if (Number.isNaN(sizeBytes)) return xmlError(400, 'InvalidPart');
  const etag = `"${(++counter).toString(16).padStart(32, '0')}-${parts.length}"`;
  objects.set(upload.key, { sizeBytes, etag });
  uploads.delete(uploadId);
  return xml(200, 'CompleteMultipartUploadResult', `<ETag>${etag}</ETag>`);
}

function head(url: URL): SinkAnswer {
  const stored = objects.get(keyOf(url));
  if (stored === undefined) return { status: 404 };
  const headers = {
    ETag: stored.etag,
    'Content-Length': stored.sizeBytes,
    'Last-Modified': new Date().toUTCString(),
  };
  return { status: 200, headers };
}

function list(url: URL): SinkAnswer {
  const query = url.searchParams;
  if (query.has('location')) return xml(200, 'LocationConstraint', '');
  if (query.has('uploads')) return xml(200, 'ListMultipartUploadsResult', '<IsTruncated>false</IsTruncated>');
  const prefix = `${url.pathname.split('/')[1]}/${query.get('prefix') ?? ''}`;
  const found = [...objects].filter(([key]) => key.startsWith(prefix));
  const contents = found.map(([key, { sizeBytes, etag }]) => {
    const name = key.slice(key.indexOf('/') + 1);
    return `<Contents><Key>${name}</Key><Size>${sizeBytes}</Size><ETag>${etag}</ETag></Contents>`;
  });
  return xml(200, 'ListBucketResult', `<IsTruncated>false</IsTruncated>${contents.join('')}`);
}

const keyOf = (url: URL): string => decodeURIComponent(url.pathname.slice(1));

function xml(status: number, name: string, inner: string): SinkAnswer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><${name}>${inner}</${name}>`;
  return { status, headers: { 'Content-Type': 'application/xml' }, body };
}

const xmlError = (status: number, code: string): SinkAnswer =>
  xml(status, 'Error', `<Code>${code}</Code><Message>${code}</Message>`);

const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));

async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Whether the port could be opened: that needs privileges, and nothing else may be using it. */
const hasCrtPort = await listen(
  createServer((socket) => serveConnection(socket, begin)),
  80,
  '127.0.0.9',
).then(
  () => true,
  () => false,
);

process.send?.({
  hasCrtPort,
  port: await listen(createServer((socket) => serveConnection(socket, begin))),
  tlsPort: await listen(
    createTlsServer({ key: read('server.key'), cert: read('good.crt') }, (socket) =>
      serveConnection(socket, begin),
    ),
  ),
});
process.on('disconnect', () => process.exit(0));

import fc from 'fast-check';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { AgentEvents } from '../../electron/agent/events.ts';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { hasHiddenCharacters } from '../../shared/lib/visible-name.ts';
import { connectService } from '../../electron/agent/service/connect-service.ts';
import { createRateLimit } from '../../electron/agent/service/rate-limit.ts';
import { createSignedPut } from '../../electron/agent/service/signed-put.ts';
import { createBufferPool } from '../../electron/agent/service/signed-put-body.ts';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { createUploadUrls } from '../../electron/agent/upload/upload-urls.ts';
import { hostileText, mutatedBytes, mutatedText } from './mutations.ts';
import { fuzzTarget, must, type FuzzTarget } from './target.ts';

/** Longest wait for an answer that ends with its connection, milliseconds; shorter than any limit of the calls. */
const MOST_MS = 25_000;
const KEY = 'key-of-the-fuzz-5d21';
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>';
const s3Error =
  '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your rate</Message></Error>';
const bodies = [
  '{"vms_incident":{"id":"i","uploaded_videos":[{"id":"v","storage_key":"k","size":9007199254740993}],"failed_videos":[]}}',
  '{"storage_key":"k","upload_id":"u"}',
  '{"incident_id":"i","max_upload_size_mb":1e400,"uploads":{"f":{"storage_key":"k","signed_urls":"https://s.example.com/k?X-Amz-Expires=60"}}}',
  '{"users":[{"id":7,"login_type":"DEVICE","name":"Ada","is_active":true}],"page":1,"total_pages":99999999,"total_count":1e9}',
  '{"actions":[{"actionId":1,"status":"open","place":["Gate 4"]}],"page":1,"total_pages":2}',
  '{"chat_message":{"id":9}}',
  `{"status":500,"message":{"error":"${KEY}"}}`,
  page,
  s3Error,
  '',
];
const heads = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 201 Created',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 100 Continue',
  'HTTP/1.1 103 Early Hints',
  'HTTP/1.1 206 Partial Content',
  'HTTP/1.1 302 Found',
  'HTTP/1.1 304 Not Modified',
  'HTTP/1.1 401 Unauthorized',
  'HTTP/1.1 403 Forbidden',
  'HTTP/1.1 404 Not Found',
  'HTTP/1.1 429 Too Many Requests',
  'HTTP/1.1 503 Service Unavailable',
  'HTTP/1.1 999 ?',
  'HTTP/1.0 200',
  'HTTP/2 200',
  'SSH-2.0-OpenSSH_9.2',
];
const names = fc.constantFrom(
  ...[
    'etag',
    'date',
    'retry-after',
    'link',
    'location',
    'content-type',
    'content-encoding',
    'content-length',
  ],
  ...['transfer-encoding', 'connection', 'x-request-id', 'x-amz-request-id', 'set-cookie', '__proto__'],
);
const values = fc.oneof(
  fc.constantFrom(
    ...[
      '"9b2cf535f27731c974343645a3985328"',
      'W/"x"',
      '""',
      'Fri, 01 May 2026 18:30:05 GMT',
      '0',
      '1e9',
      '-1',
    ],
    ...['<?page=2>; rel="next"', '<https://elsewhere.example.com/>; rel=next', 'https://portal.example.com/'],
    ...['application/json', 'text/html', 'gzip', 'br', 'chunked', 'identity', 'close', 'upgrade', KEY],
    '99999999999999999999',
  ),
  fc.nat(200_000).map(String),
  hostileText.map((text) => text.replaceAll(/[\r\n]/g, ' ')),
);
type Framing = 'length' | 'chunked' | 'close' | 'short' | 'gzip';

function answerOf(
  head: string,
  headers: readonly (readonly [string, string])[],
  body: Buffer,
  framing: Framing,
): Buffer {
  const sent = framing === 'gzip' ? gzipSync(body) : body;
  const own: Readonly<Record<Framing, string>> = {
    length: `content-length: ${sent.length}\r\n`,
    chunked: 'transfer-encoding: chunked\r\n',
    close: '',
    short: `content-length: ${sent.length + 40}\r\n`,
    gzip: `content-encoding: gzip\r\ncontent-length: ${sent.length}\r\n`,
  };
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const start = Buffer.from(`${head}\r\n${own[framing]}${lines}\r\n`);
  if (framing !== 'chunked') return Buffer.concat([start, sent]);
  return Buffer.concat([
    start,
    Buffer.from(`${sent.length.toString(16)}\r\n`),
    sent,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
}

const wholeAnswer = fc
  .tuple(
    fc.constantFrom(...heads),
    fc.array(fc.tuple(names, values), { maxLength: 5 }),
    mutatedText(bodies),
    fc.constantFrom<Framing>('length', 'length', 'chunked', 'close', 'short', 'gzip'),
  )
  .map((parts) => answerOf(...parts));
const samples = heads.map((head) =>
  answerOf(head, [['date', 'Fri, 01 May 2026 18:30:05 GMT']], Buffer.from(bodies[0] ?? ''), 'chunked'),
);

/** A server below HTTP that sends everyone the same answer, and both clients of the agent. */
async function openLine() {
  let answer: Buffer = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
    socket.resume();
  });
  // The program ends once its targets have
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = createSystemClock();
  const settings = settingsSchema.parse({ baseUrl: `http://127.0.0.1:${port}/v1` });
  const events = new AgentEvents();
  const service = connectService(
    { settings, version: '0.0.0' },
    { clock, secrets: { apiKey: async () => KEY } },
    events,
  );
  const put = createSignedPut({ clock });
  const urls = createUploadUrls(service.incidents, service.clock, { allowLoopback: true, hosts: [] });
  const range = { pool: createBufferPool(clock, 1), limiter: createRateLimit(clock, null), offset: 0 };
  const late: unknown[] = [];
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => void late.push(error));
  const bytes = Buffer.from('RIFF of a clip');
  const source = { bytes, use: () => () => undefined };
  const url = new URL(`http://127.0.0.1:${port}/bucket/key?X-Amz-Signature=feedface`);
  const id = '7';
  const calls: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
    get: (signal) => service.incidents.get('i', signal),
    put: (signal) => service.incidents.put('i', { uploaded_videos: [], failed_videos: [] }, signal),
    create: (signal) => service.incidents.createMultipartUpload('i', 'f', 'a.mp4', signal),
    urls: (signal) => urls.ask('i', { f: { filename: 'a.mp4' } }, undefined, signal),
    users: (signal) => service.team.users.listAll({}, signal),
    actions: (signal) => service.team.periods.readActions(id, ['place'], signal),
    message: (signal) =>
      service.team.messages.post({ kind: 'channel', channelId: id, content: 'Hello' }, signal),
    object: (signal) => put.put({ ...range, url, source, length: bytes.length, signal }),
  };
  return { calls, late, says: (next: Buffer) => void (answer = next) };
}

let line: ReturnType<typeof openLine> | undefined;

/** Whole exchanges over a socket: the parsers of HTTP, of bodies and of their contents. */
export const exchanges: FuzzTarget = fuzzTarget(
  'exchanges',
  'whole answers of service and storage on a socket',
  fc.record({
    answer: fc.oneof(wholeAnswer, mutatedBytes(samples)),
    call: fc.constantFrom('get', 'put', 'create', 'urls', 'users', 'actions', 'message', 'object'),
  }),
  async ({ answer, call }) => {
    const { calls, late, says } = await (line ??= openLine());
    says(answer);
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new Error('It never ended')), MOST_MS);
    const told = JSON.stringify((await calls[call]?.(ending.signal)) ?? '');
    clearTimeout(timer);
    must(!ending.signal.aborted, 'It never ended');
    must(late.length === 0, `Later: ${late.map(String).join(', ')}`);
    // Storage never gets it
    must(call === 'object' || !told.includes(KEY), 'It repeats the key');
    const { error } = JSON.parse(told) as {
      readonly error?: { readonly message: string; readonly advice: string };
    };
    if (error !== undefined)
      must(!hasHiddenCharacters(error.message + error.advice), 'Its message has hidden characters');
  },
);

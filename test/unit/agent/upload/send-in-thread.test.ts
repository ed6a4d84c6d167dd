import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { versionOf } from '../../../../electron/agent/files/opened-file.ts';
import { DEADLINE_MS } from '../../../../electron/agent/files/root-gate.ts';
import type { Clock } from '../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import type {
  SendAnswer,
  SendRequest,
  SendWay,
} from '../../../../electron/agent/upload/thread/send-worker.ts';
import { smallFileThreads } from '../../../helpers/small-file-threads.ts';
import { store } from '../service/put-test-bed.ts';
import { testCertificate } from '../service/test-certificate.ts';

const never = new AbortController().signal;
let root = '';
let cleanups: (() => unknown)[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'send-in-thread-'));
  cleanups = [() => rmSync(root, { recursive: true })];
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

function reader(way: Partial<SendWay> = {}, clock: Clock = createSystemClock()) {
  const threads = smallFileThreads(clock, undefined, way);
  cleanups.push(() => threads.stop());
  return threads;
}

async function listen(server: Server, scheme = 'http', host = '127.0.0.1'): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `${scheme}://${host}:${(server.address() as AddressInfo).port}/bucket/key?X-Amz-Signature=secret`;
}

const serve = (listener: RequestListener): Promise<string> => listen(createHttpServer(listener));

function fileOf(name: string, bytes: Buffer): Omit<SendRequest, 'url'> {
  const path = join(root, name);
  writeFileSync(path, bytes);
  return { path, rootPath: root, name, version: versionOf(lstatSync(path, { bigint: true })) };
}

const send = (to: ReturnType<typeof reader>, request: SendRequest, signal = never): Promise<SendAnswer> =>
  to.start<SendAnswer>(request, signal);

describe('the thread of a root', () => {
  it('sends files whole, more than it has on the line at once, and says what storage answered to each', async () => {
    const bodies: Buffer[] = [];
    const url = await serve(store(bodies));
    const contents = Array.from({ length: 40 }, (_, index) => randomBytes(1_000 + 6_000 * index));
    const files = contents.map((bytes, index) => fileOf(`${index}.mp4`, bytes));
    const threads = reader();
    const answers = await Promise.all(files.map((file) => send(threads, { ...file, url, withMd5: true })));
    for (const [index, answer] of answers.entries()) {
      const bytes = contents[index] ?? Buffer.alloc(0);
      const md5 = createHash('md5').update(bytes).digest('hex');
      const { version } = files[index] ?? {};
      expect(answer).toMatchObject({
        ok: true,
        value: {
          sha256: createHash('sha256').update(bytes).digest('hex'),
          md5,
          version,
          ended: { kind: 'answer', sentBytes: bytes.length, answer: { status: 200 } },
          look: { ok: true, value: { version } },
        },
      });
      const headers = answer.ok && answer.value.ended.kind === 'answer' && answer.value.ended.answer.headers;
      expect(headers && headers.get('etag')).toBe(`"${md5}"`);
    }
    const sent = bodies.toSorted((a, b) => a.length - b.length);
    expect(sent.every((body, index) => contents[index]?.equals(body))).toBe(true);
  });

  it('sends nothing of another version than the one that is meant', async () => {
    const bodies: Buffer[] = [];
    const url = await serve(store(bodies));
    const file = fileOf('a.mp4', Buffer.from('abc'));
    appendFileSync(file.path, 'more');
    expect(await send(reader(), { ...file, url })).toMatchObject({
      ok: false,
      error: { code: 'FILE_CHANGED' },
    });
    expect(bodies).toEqual([]);
  });

  it('sees that a file changed while storage had not answered yet', async () => {
    const file = fileOf('a.mp4', Buffer.from('abc'));
    const url = await serve((request, response) => {
      request.resume().on('end', () => {
        appendFileSync(file.path, 'more');
        response.end();
      });
    });
    expect(await send(reader(), { ...file, url })).toMatchObject({
      value: { version: { sizeBytes: 3 }, look: { value: { version: { sizeBytes: 7 } } } },
    });
  });

  it('connects to no closed address', async () => {
    const bodies: Buffer[] = [];
    const url = await listen(createHttpServer(store(bodies)), 'http', 'localhost');
    const file = fileOf('a.mp4', Buffer.from('abc'));
    expect(await send(reader({ allowLoopback: false }), { ...file, url })).toMatchObject({
      value: { ended: { kind: 'network', code: 'EADDRCLOSED', sentBytes: 0 } },
    });
    expect(bodies).toEqual([]);
    expect(await send(reader(), { ...file, url })).toMatchObject({ value: { ended: { kind: 'answer' } } });
  });

  it('sends nothing to a URL that requires headers with unknown values', async () => {
    const bodies: Buffer[] = [];
    const url = `${await serve(store(bodies))}&X-Amz-SignedHeaders=host%3Bx-amz-acl`;
    expect(await send(reader(), { ...fileOf('a.mp4', Buffer.from('abc')), url })).toMatchObject({
      value: { ended: { kind: 'refused', failure: { code: 'URL_REFUSED' }, sentBytes: 0 } },
    });
    expect(bodies).toEqual([]);
  });

  it('trusts whom the program trusts, and nobody else', async () => {
    const url = await listen(createHttpsServer(testCertificate, store([])), 'https');
    const file = fileOf('a.mp4', Buffer.from('abc'));
    expect(await send(reader(), { ...file, url })).toMatchObject({
      value: { ended: { kind: 'network', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', sentBytes: 0 } },
    });
    expect(await send(reader({ authorities: [testCertificate.cert] }), { ...file, url })).toMatchObject({
      value: { ended: { kind: 'answer', answer: { status: 200 } } },
    });
  });

  it('stops at once when it is told to, and closes the connection', async () => {
    const stopping = new AbortController();
    const closed = Promise.withResolvers<void>();
    const url = await serve((request) => {
      request.socket.on('close', () => closed.resolve());
      stopping.abort(new Error('A person stopped it'));
    });
    const sending = send(reader(), { ...fileOf('a.mp4', Buffer.from('abc')), url }, stopping.signal);
    await expect(sending).rejects.toThrow('A person stopped it');
    await closed.promise;
  });

  it('is given up when it no longer answers, with what it was sending', async () => {
    const real = createSystemClock();
    const clock: Clock = { ...real, after: (_delayMs, work) => real.after(0, work) };
    const url = await serve(() => undefined);
    const sending = send(reader({}, clock), { ...fileOf('a.mp4', Buffer.from('abc')), url });
    await expect(sending).rejects.toMatchObject({ failure: { code: 'ROOT_HUNG' } });
  });

  it('is asked whether it answers while a slow line keeps it waiting, and left alone', async () => {
    const real = createSystemClock();
    const deadlines: { isTakenBack: boolean }[] = [];
    const clock: Clock = {
      ...real,
      after(delayMs, work) {
        if (delayMs < DEADLINE_MS) return real.after(delayMs / 400, work);
        const deadline = { isTakenBack: false };
        deadlines.push(deadline);
        return () => void (deadline.isTakenBack = true);
      },
    };
    const url = await serve((request, response) => {
      request.resume().on('end', () => void setTimeout(() => response.end(), 500));
    });
    const sending = send(reader({}, clock), { ...fileOf('a.mp4', Buffer.from('abc')), url });
    expect(await sending).toMatchObject({ value: { ended: { kind: 'answer' } } });
    expect(deadlines.length).toBeGreaterThan(5);
    expect(deadlines.slice(0, -1).every(({ isTakenBack }) => isTakenBack)).toBe(true);
  });
});

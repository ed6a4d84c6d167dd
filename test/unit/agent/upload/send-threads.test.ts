import { createHash } from 'node:crypto';
import { appendFileSync, lstatSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { versionOf } from '../../../../electron/agent/files/opened-file.ts';
import type { WorkerThreads } from '../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createSendThreads, type SendThreads } from '../../../../electron/agent/upload/send-threads.ts';
import type { FileToSend, SendQuestion } from '../../../../electron/agent/upload/send-worker.ts';
import { sharedThreads } from '../../../helpers/shared-threads.ts';
import { preparePuts, store } from '../service/put-test-bed.ts';
import { testCertificate } from '../service/test-certificate.ts';

vi.setConfig({ testTimeout: 60_000 });

const { listen, serve } = preparePuts();
const rules = { allowLoopback: true, hosts: [] };
const clock = createSystemClock();
const quiet = new AbortController().signal;
let root = '';
let threads: SendThreads;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'send-threads-'));
  threads = createSendThreads(clock, rules, sharedThreads);
});

afterEach(async () => {
  threads.stop();
  await rm(root, { recursive: true });
});

/** A file of the root on its way to the URL. */
function fileTo(url: URL, name: string, text = `bytes of ${name}`): FileToSend {
  const path = join(root, name);
  writeFileSync(path, text);
  const version = versionOf(lstatSync(path, { bigint: true }));
  return { path, rootPath: root, name, version, url: url.href };
}

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_unused, index) => `clip-${index}.avi`);

/** The kinds of what became of the files, and how many answers with each status came. */
const send = (files: readonly FileToSend[], lanes = 4, signal = quiet) =>
  Promise.all(threads.send(root, files, lanes, signal));

/** Answers each PUT when it is told to. */
async function heldStore() {
  const arrived: ServerResponse[] = [];
  const url = await serve((request, response) => {
    request.resume().once('end', () => arrived.push(response));
  });
  const until = (count: number) => vi.waitFor(() => expect(arrived.length).toBe(count), 30_000);
  return { url, until, arrived };
}

/** Threads that write down what they are asked. */
function overheard(): WorkerThreads & { readonly asked: SendQuestion['kind'][] } {
  const asked: SendQuestion['kind'][] = [];
  const post = new WeakMap<Worker, Worker['postMessage']>();
  return {
    asked,
    take(entry, options) {
      const worker = sharedThreads.take(entry, options);
      const original = worker.postMessage.bind(worker);
      post.set(worker, original);
      worker.postMessage = (question: SendQuestion) => {
        asked.push(question.kind);
        original(question);
      };
      return worker;
    },
    giveBack(worker, isClean) {
      worker.postMessage = post.get(worker) ?? worker.postMessage;
      return sharedThreads.giveBack(worker, isClean);
    },
  };
}

describe('a thread that sends small files whole', () => {
  it('sends each of many files that it was given in one message, and answers with what it hashed and what storage said', async () => {
    const bodies: Buffer[] = [];
    const url = await serve(store(bodies));
    const files = names(20).map((name) => ({ ...fileTo(url, name), withMd5: true }));
    const others = overheard();
    threads = createSendThreads(clock, rules, others);
    const sent = await send(files);
    expect(others.asked).toEqual(['send', 'ping']);
    expect(bodies.map(String).toSorted()).toEqual(
      names(20)
        .map((name) => `bytes of ${name}`)
        .toSorted(),
    );
    for (const [index, one] of sent.entries()) {
      const text = `bytes of clip-${index}.avi`;
      const sumOf = (algorithm: string): string => createHash(algorithm).update(text).digest('hex');
      expect(one).toMatchObject({
        kind: 'put',
        sums: { sha256: sumOf('sha256'), md5: sumOf('md5') },
        put: {
          status: 200,
          etag: `"${sumOf('md5')}"`,
          sentBytes: text.length,
          requestIds: [{ value: 'tx01' }],
        },
        look: { ok: true, value: { version: files[index]?.version } },
      });
    }
  });

  it('has no more files on the line than it was given lanes', async () => {
    const held = await heldStore();
    const sending = send(
      names(6).map((name) => fileTo(held.url, name)),
      2,
    );
    await held.until(2);
    for (let count = 3; count <= 6; count += 1) {
      held.arrived[count - 3]?.writeHead(200, { etag: '"a"' }).end();
      await held.until(count);
    }
    for (const response of held.arrived.slice(4)) response.writeHead(200, { etag: '"a"' }).end();
    expect((await sending).map(({ kind }) => kind)).toEqual(Array(6).fill('put'));
  });

  it('sees that a file was written to while it was sent, and sends none that changed before', async () => {
    const held = await heldStore();
    const [first, second] = [fileTo(held.url, 'first.avi'), fileTo(held.url, 'second.avi')];
    appendFileSync(second.path, ' and more');
    const sending = send([first, second]);
    await held.until(1);
    appendFileSync(first.path, ' and more');
    held.arrived[0]?.writeHead(200, { etag: '"a"' }).end();
    const [sent, unread] = await sending;
    expect(sent).toMatchObject({ put: { status: 200 }, look: { value: { version: { sizeBytes: 27 } } } });
    expect(unread).toMatchObject({ kind: 'unread', failure: { code: 'FILE_CHANGED' } });
  });

  it('begins nothing more of a batch after a PUT that storage did not take', async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      request.resume();
      response.writeHead(503).end();
    });
    const sent = await send(
      names(8).map((name) => fileTo(url, name)),
      2,
    );
    expect(sent.filter(({ kind }) => kind === 'put')).toHaveLength(requests);
    expect(requests).toBeLessThanOrEqual(2);
    expect(sent.slice(2).map(({ kind }) => kind)).toEqual(Array(6).fill('left'));
  });

  it('ends what is on the line once it is held, and begins nothing more', async () => {
    const held = await heldStore();
    const sending = send(
      names(5).map((name) => fileTo(held.url, name)),
      2,
    );
    await held.until(2);
    threads.hold();
    for (const response of held.arrived) response.writeHead(200, { etag: '"a"' }).end();
    expect((await sending).map(({ kind }) => kind)).toEqual(['put', 'put', 'left', 'left', 'left']);
  });

  it('breaks off within a second what a person stops', async () => {
    const held = await heldStore();
    const ending = new AbortController();
    const sending = send(
      names(5).map((name) => fileTo(held.url, name)),
      2,
      ending.signal,
    );
    await held.until(2);
    const gone = Promise.all(
      held.arrived.map((response) => new Promise((resolve) => response.once('close', resolve))),
    );
    ending.abort();
    const sent = await sending;
    expect(sent.slice(0, 2)).toMatchObject([{ put: { kind: 'aborted' } }, { put: { kind: 'aborted' } }]);
    expect(sent.slice(2).map(({ kind }) => kind)).toEqual(['left', 'left', 'left']);
    await gone;
  });

  it('trusts whom the main thread trusts, and nobody else', async () => {
    const url = await listen(createHttpsServer(testCertificate, store([])), 'https');
    const [refused] = await send([fileTo(url, 'first.avi')]);
    expect(refused).toMatchObject({
      put: { kind: 'network', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', sentBytes: 0 },
    });
    const before = getCACertificates('default');
    // Other files of tests are in this process
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([...before, testCertificate.cert]);
    expect(await send([fileTo(url, 'second.avi')])).toMatchObject([{ put: { status: 200 } }]);
  });

  it('sends to no name that leads into a local network', async () => {
    const url = await serve(store([]));
    url.hostname = 'localhost';
    threads = createSendThreads(clock, { allowLoopback: false, hosts: [] }, sharedThreads);
    const [sent] = await send([fileTo(url, 'first.avi')]);
    expect(sent).toMatchObject({ put: { kind: 'network', code: 'EADDRCLOSED' } });
  });
});

describe('a thread that does not answer', () => {
  /** A thread as one that hangs in a share: it says nothing and ends when the test lets it. */
  function hangingThreads() {
    const ended = Promise.withResolvers<void>();
    const worker = { on: () => worker, postMessage: () => undefined };
    const workers: WorkerThreads = { take: () => worker as unknown as Worker, giveBack: () => ended.promise };
    return { workers, ended };
  }

  it('is given up after the deadline, and no other is begun for its root before it has ended', async () => {
    const { workers, ended } = hangingThreads();
    const due: (() => void)[] = [];
    const after = (_delayMs: number, work: () => void) => {
      due.push(work);
      return () => undefined;
    };
    threads = createSendThreads({ after }, rules, workers);
    const sending = send([fileTo(new URL('http://127.0.0.1:9/key'), 'first.avi')]);
    expect(threads.canSend(root)).toBe(true);
    due.at(-1)?.();
    expect(await sending).toMatchObject([{ kind: 'unread', failure: { code: 'ROOT_HUNG' } }]);
    expect([threads.canSend(root), threads.canSend('/elsewhere')]).toEqual([false, true]);
    ended.resolve();
    await vi.waitFor(() => expect(threads.canSend(root)).toBe(true));
  });

  it('does not keep a person waiting who stops its upload', async () => {
    const { workers } = hangingThreads();
    threads = createSendThreads(clock, rules, workers);
    const ending = new AbortController();
    const sending = send([fileTo(new URL('http://127.0.0.1:9/key'), 'first.avi')], 4, ending.signal);
    ending.abort();
    expect(await sending).toEqual([{ kind: 'left' }]);
  });
});

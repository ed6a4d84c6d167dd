import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { putBytes } from '../../../contract/put-bytes.ts';
import { startSimulator, type FaultRule, type Simulator } from '../../../simulator/index.ts';
import { askSingleUrl, callService, openMultipart } from '../call-service.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ team: 'empty' });
});
afterAll(() => simulator.stop());
afterEach(() => simulator.faults.clear());

let count = 0;
/** A URL of a new file, so that no test sees another's. */
const freshUrl = () => askSingleUrl(simulator, 'faults', `f${(count += 1)}`);
const order = (rule: FaultRule) => simulator.faults.add({ times: 1, ...rule });
const putIncident = (id: string) =>
  callService(simulator, 'PUT', `/vms/incidents/${id}`, {
    body: { vms_incident: { uploaded_videos: [], failed_videos: [] } },
  });
const getUsers = () => callService(simulator, 'GET', '/users');

describe('faults of the service', () => {
  it('answers in place of the effect, with headers', async () => {
    order({
      match: { call: 'putIncident' },
      action: {
        kind: 'answer',
        status: 429,
        headers: { 'retry-after': '7' },
        body: { message: 'slow down' },
      },
    });
    expect(await putIncident('before')).toMatchObject({ status: 429, body: { message: 'slow down' } });
    expect(simulator.incidents().has('before')).toBe(false);
    expect(simulator.requests.of('putIncident').at(-1)).toMatchObject({
      status: 429,
      faultId: expect.any(String),
    });
  });

  it('answers otherwise after the effect', async () => {
    order({
      match: { call: 'putIncident' },
      action: { kind: 'answer', status: 502, body: '<html>', when: 'after' },
    });
    expect(await putIncident('after')).toMatchObject({ status: 502, text: '<html>' });
    expect(simulator.incidents().has('after')).toBe(true);
  });

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('drops the connection %s the effect', async (when, hasEffect) => {
    order({ match: { call: 'putIncident' }, action: { kind: 'drop', when } });
    await expect(putIncident(`drop-${when}`)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.incidents().has(`drop-${when}`)).toBe(hasEffect);
    const entry = simulator.requests.of('putIncident', { incidentId: `drop-${when}` })[0];
    expect(entry).toMatchObject({ dropped: true });
    expect(entry?.status).toBeUndefined();
  });

  it.each([0, 1, 20, 200])('resets after %i bytes of the answer, with the effect done', async (bytes) => {
    order({ match: { call: 'putIncident' }, action: { kind: 'reset-in-answer', bytes } });
    await expect(putIncident(`reset-${bytes}`)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.incidents().has(`reset-${bytes}`)).toBe(true);
  });

  it('delays', async () => {
    order({ match: {}, action: { kind: 'delay', ms: 80 } });
    const startedAt = performance.now();
    expect((await getUsers()).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(75);
  });

  it('sends its answer slowly', async () => {
    order({ match: {}, action: { kind: 'trickle', bytesPerSecond: 1000 } });
    const startedAt = performance.now();
    const { text } = await getUsers();
    expect(performance.now() - startedAt).toBeGreaterThan(text.length * 0.9);
  });

  it('never answers when told to hang', async () => {
    const hang = order({ match: {}, action: { kind: 'hang' } });
    const answer = getUsers().then(
      () => 'answered',
      () => 'ended',
    );
    await expect.poll(() => simulator.requests.of('getUsers').at(-1)).toMatchObject({ faultId: hang });
    await simulator.goOffline('service');
    expect(await answer).toBe('ended');
    await simulator.goOnline('service');
    expect((await getUsers()).status).toBe(200);
  });

  it('puts raw bytes on the wire: a length that is not true', async () => {
    order({
      match: {},
      action: { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"users"' },
    });
    await expect(getUsers()).rejects.toThrow('aborted');
  });

  it('sends a text as long as ordered', async () => {
    order({ match: {}, action: { kind: 'flood', bytes: 300_000 } });
    expect((await getUsers()).text).toHaveLength(300_002);
  });

  it('holds requests before their effect until released', async () => {
    const hold = simulator.faults.hold({ call: 'putIncident', incidentId: 'held' });
    const answer = putIncident('held');
    expect(await hold.arrived).toMatchObject({ incidentId: 'held' });
    expect(simulator.incidents().has('held')).toBe(false);
    hold.release();
    expect((await answer).status).toBe(201);
  });

  it('holds requests after their effect', async () => {
    const hold = simulator.faults.hold({ call: 'putIncident' }, 'after');
    const answer = putIncident('held-after');
    await hold.arrived;
    expect(simulator.incidents().has('held-after')).toBe(true);
    hold.release();
    expect((await answer).status).toBe(201);
  });
});

describe('faults of storage', () => {
  it.each([
    [
      'an error code as XML',
      { kind: 'answer', status: 503, code: 'SlowDown', headers: { 'retry-after': '1' } },
      { status: 503, code: 'SlowDown' },
    ],
    ['expiry now', { kind: 'expire-url' }, { status: 403, code: 'AccessDenied' }],
    ['no etag', { kind: 'no-etag' }, { status: 200, etag: undefined }],
  ] as const)('order %s', async (_what, action, expected) => {
    const { url } = await freshUrl();
    order({ match: { call: 'putObject' }, action });
    expect(await putBytes(url, 'bytes')).toMatchObject(expected);
    expect(await putBytes(url, 'bytes')).toMatchObject({
      status: 200,
      etag: '"4b3a6218bb3e3a7303e8a171a60fcf92"',
    });
  });

  it('mangle the etag and keep its form', async () => {
    const { url } = await freshUrl();
    order({ match: { call: 'putObject' }, action: { kind: 'mangle-etag' } });
    const { etag } = await putBytes(url, 'bytes');
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(etag).not.toBe('"4b3a6218bb3e3a7303e8a171a60fcf92"');
  });

  it.each([0, 1, 100_000])('reset after %i bytes of the body, and keep nothing', async (bytes) => {
    const { url, key } = await freshUrl();
    order({ match: { call: 'putObject' }, action: { kind: 'reset-after-bytes', bytes } });
    await expect(putBytes(url, Buffer.alloc(3_000_000))).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNRESET|EPIPE/),
    });
    expect((await simulator.objects()).map((object) => object.key)).not.toContain(key);
  });

  it('drop after the effect: the object is there, the answer is not', async () => {
    const { url, key } = await freshUrl();
    order({ match: { call: 'putObject' }, action: { kind: 'drop', when: 'after' } });
    await expect(putBytes(url, 'kept')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await simulator.objects()).map((object) => object.key)).toContain(key);
  });

  it('take the body at a rate', async () => {
    const { url } = await freshUrl();
    order({ match: { call: 'putObject' }, action: { kind: 'trickle', bytesPerSecond: 1_000_000 } });
    const startedAt = performance.now();
    expect((await putBytes(url, Buffer.alloc(300_000))).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(200);
  });

  it('answer before the body was read, and close', async () => {
    const { url } = await freshUrl();
    order({ match: { call: 'putObject' }, action: { kind: 'early-answer', status: 503, code: 'SlowDown' } });
    expect(await answerToHead(url, 50_000_000)).toMatch(
      /^HTTP\/1\.1 503 .*connection: close.*<Code>SlowDown<\/Code>/s,
    );
    expect(simulator.requests.of('putObject').at(-1)).toMatchObject({ status: 503, bytesReceived: 0 });
  });

  it('hit one part of one file', async () => {
    const upload = await openMultipart(simulator, 'faults', 'parts', 2);
    order({
      match: { call: 'putPart', fileId: 'parts', partNumber: 2 },
      action: { kind: 'answer', status: 500, code: 'InternalError' },
    });
    expect((await putBytes(upload.urls[0] ?? '', 'one')).status).toBe(200);
    expect((await putBytes(upload.urls[1] ?? '', 'two')).status).toBe(500);
    await upload.abort();
  });
});

/** Sends only the head of a PUT, and reads the response. */
function answerToHead(url: string, announcedBytes: number): Promise<string> {
  const { hostname, port, pathname, search, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.on('error', reject).on('end', () => resolve(text));
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${announcedBytes}\r\n\r\n`,
    );
  });
}

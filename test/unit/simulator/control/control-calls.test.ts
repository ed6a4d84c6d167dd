import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putBytes } from '../../../contract/put-bytes.ts';
import { startSimulator, type Simulator } from '../../../simulator/index.ts';
import { askSingleUrl, callService } from '../call-service.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ controlPort: 0 });
});
afterAll(() => simulator.stop());

async function control(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const answer = await fetch(`${simulator.controlUrl}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

describe('the control port', () => {
  it('orders faults, lists them and takes them back', async () => {
    const rule = { id: 'outage', match: { call: 'getPeriods' }, action: { kind: 'answer', status: 503 } };
    expect((await control('POST', '/faults', rule)).body).toEqual({ ids: ['outage'] });
    expect((await callService(simulator, 'GET', '/periods')).status).toBe(503);
    expect((await control('GET', '/faults')).body.faults).toMatchObject([{ id: 'outage', applied: 1 }]);
    expect((await control('DELETE', '/faults?id=outage')).body).toEqual({ removed: 1 });
    expect((await callService(simulator, 'GET', '/periods')).status).toBe(200);
  });

  it.each([
    ['a rule that is none', 'POST', '/faults', { match: {}, action: { kind: 'explode' } }, 400],
    ['a setting that is none', 'POST', '/settings', { urlLifetime: 5 }, 400],
    ['a call that is none', 'GET', '/nothing', undefined, 404],
  ])('refuses %s', async (_what, method, path, body, status) => {
    expect(await control(method, path, body)).toMatchObject({
      status,
      body: { message: expect.any(String) },
    });
  });

  it('tells requests by any of their fields, and forgets them', async () => {
    await callService(simulator, 'GET', '/users?per_page=1');
    const { body } = await control('GET', '/requests?call=getUsers&status=200');
    expect(body.requests).toMatchObject([{ method: 'GET', path: '/v1/users', query: { per_page: '1' } }]);
    await control('DELETE', '/requests');
    expect((await control('GET', '/requests')).body.requests).toEqual([]);
  });

  it('tells objects with their digests, and open uploads', async () => {
    const { url, key } = await askSingleUrl(simulator, 'i1', 'v1');
    await putBytes(url, 'hello');
    await callService(simulator, 'GET', '/vms/incidents/i1/create_multipart_upload?file_id=f&filename=a.mp4');
    const { body } = await control('GET', '/state');
    expect(body.objects).toMatchObject([
      { key, sizeBytes: 5, sha256: expect.stringMatching(/^2cf24dba5fb0a30e/) },
    ]);
    expect(body.openUploads).toMatchObject([{ parts: [] }]);
    expect(body.incidents).toEqual([]);
  });

  it('changes keys and settings', async () => {
    expect((await control('POST', '/settings', { urlLifetimeSeconds: 5 })).body).toMatchObject({
      urlLifetimeSeconds: 5,
    });
    expect((await askSingleUrl(simulator, 'i1', 'v2')).url).toContain('X-Amz-Expires=5&');
    await control('POST', '/keys', [{ key: simulator.apiKey, videoPermission: false }]);
    expect((await callService(simulator, 'GET', '/vms/incidents/i1')).status).toBe(403);
    await control('POST', '/keys', [{ key: simulator.apiKey, videoPermission: true }]);
  });

  it('tells the team', async () => {
    const { body } = await control('GET', '/team');
    expect(body).toEqual(JSON.parse(JSON.stringify(simulator.team())));
    expect(body.users).toHaveLength(250);
  });

  it('takes the storage offline and back', async () => {
    const { url } = await askSingleUrl(simulator, 'i1', 'v3');
    await control('POST', '/offline', { which: 'storage' });
    // Another test may take the freed port immediately; it then resets the connection
    await expect(putBytes(url, 'x')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    await control('POST', '/online');
    expect((await putBytes(url, 'x')).status).toBe(200);
  });
});

describe('the simulator as a program', () => {
  const start = (...args: string[]) =>
    spawn(process.execPath, ['test/simulator/main.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

  const teamFlags = '--actions-paging link --actions-per-page 7 --message-id none --user-update PUT'.split(
    ' ',
  );

  it('prints where it is, serves until SIGTERM, and leaves nothing behind', async () => {
    const child = start(
      ...'--json --key key-of-mine --url-lifetime 30 --team empty'.split(' '),
      ...teamFlags,
    );
    const exited = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { baseUrl, apiKey, controlUrl, folder } = JSON.parse(String(line));
    expect(apiKey).toBe('key-of-mine');
    const answer = await fetch(`${baseUrl}/periods`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await answer.json()).toEqual({ periods: [] });
    const state = await fetch(`${controlUrl}/state`);
    expect(await state.json()).toMatchObject({
      messages: [],
      invitations: [],
      settings: {
        urlLifetimeSeconds: 30,
        actionsPaging: 'link',
        actionsPerPage: 7,
        messageIdShape: 'none',
        userUpdateMethod: 'PUT',
      },
    });
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    [['--prot', '1']],
    [['--port', 'many']],
    [['--s3-endpoint', 'http://127.0.0.1:1']],
    [['--hashing', 'some']],
    [['--team', 'other']],
    [['--user-update', 'PATCH']],
  ])('explains itself on %j and exits with 2', async (args) => {
    const child = start(...args);
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(text).toContain('Usage:');
  });
});

import { readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { securityHeaders } from '../../../electron/console/page-files.ts';
import { eventually } from '../../helpers/eventually.ts';
import { open } from './ask.ts';
import { INDEX, SCRIPT, startBench } from './console-bench.ts';

const HASHED = '/assets/index-Bx_9-aZ1.js';

describe('the pages', () => {
  it.each([
    ['/', INDEX, 'text/html; charset=utf-8', 'no-store'],
    ['/index.html', INDEX, 'text/html; charset=utf-8', 'no-store'],
    [HASHED, SCRIPT, 'text/javascript; charset=utf-8', 'private, max-age=31536000, immutable'],
    ['/assets/empty.css', '', 'text/css; charset=utf-8', 'no-store'],
  ])('have %s', async (path, text, type, cacheControl) => {
    const bench = await startBench({ onTestFinished });
    const { cookie } = await bench.login();
    const answer = await bench.ask({ path, headers: { cookie } });
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers).toMatchObject({
      ...securityHeaders,
      'cache-control': cacheControl,
      'content-type': type,
      'content-length': String(text.length),
    });
    const names = Object.keys(answer.headers);
    expect(
      names.filter((name) => /^access-control-|^set-cookie$|^server$|^x-powered-by$/.test(name)),
    ).toEqual([]);
  });

  it('answer HEAD with the same headers and no bytes', async (context) => {
    const bench = await startBench(context);
    const { cookie } = await bench.login();
    const get = await bench.ask({ path: HASHED, headers: { cookie } });
    const head = await bench.ask({ method: 'HEAD', path: HASHED, headers: { cookie } });
    expect(head).toMatchObject({ status: 200, text: '' });
    const { date: _date, ...headers } = get.headers;
    expect(head.headers).toMatchObject(headers);
  });

  it('are not changed by anyone', async (context) => {
    const bench = await startBench(context);
    const { headers } = await bench.login();
    for (const path of ['/', HASHED, '/none.html']) {
      const answer = await bench.ask({ method: 'POST', path, headers, body: '{}' });
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
  });

  it.each([
    ['/assets', 404],
    ['/assets/', 400],
    ['/missing.js', 404],
    ['/favicon.ico', 404],
    ['/uploads', 404],
    ['/launch', 404],
    ['/call/x', 404],
    ['/out.json', 404],
    ['/folder.js', 404],
    ['/..', 400],
    ['/%2e%2e/out.json', 400],
  ])('input G13: have nothing under %s', async (path, status) => {
    const bench = await startBench({ onTestFinished });
    await symlink('/etc/hostname', join(bench.assetsDir, 'out.json'));
    await symlink(join(bench.assetsDir, 'assets'), join(bench.assetsDir, 'folder.js'));
    const { cookie } = await bench.login();
    const answer = await bench.ask({ path, headers: { cookie } });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      ...securityHeaders,
      'content-type': 'text/plain; charset=utf-8',
    });
  });

  it('are read again each time, and missed when they are gone', async (context) => {
    const bench = await startBench(context);
    const { cookie } = await bench.login();
    const index = join(bench.assetsDir, 'index.html');
    await writeFile(index, 'newer');
    expect((await bench.ask({ path: '/', headers: { cookie } })).text).toBe('newer');
    await rm(index);
    expect((await bench.ask({ path: '/', headers: { cookie } })).status).toBe(404);
  });

  it.skipIf(process.platform !== 'linux')('are closed again after they were read', async (context) => {
    // A process's open files can only be listed on Linux
    const bench = await startBench(context);
    const { cookie } = await bench.login();
    // Node closes forgotten files, with a warning
    const warnings: string[] = [];
    const warn = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', warn);
    context.onTestFinished(() => void process.off('warning', warn));
    for (let times = 0; times < 50; times += 1)
      for (const method of ['GET', 'HEAD']) await bench.ask({ method, path: '/', headers: { cookie } });
    const openFiles = async () => {
      const numbers = await readdir('/proc/self/fd');
      const paths = numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => ''));
      return (await Promise.all(paths)).filter((path) => path.startsWith(bench.assetsDir));
    };
    await eventually(async () => (await openFiles()).length === 0, 'the files to be closed', 3000);
    expect(warnings.filter((message) => message.includes('file descriptor'))).toEqual([]);
  });

  it('survive a reader that leaves half-way', async (context) => {
    const bench = await startBench(context);
    await writeFile(join(bench.assetsDir, 'large.json'), Buffer.alloc(50_000_000, 'a'));
    const { cookie } = await bench.login();
    const response = await open(bench.console.port, { path: '/large.json', headers: { cookie } });
    await new Promise((resolve) => response.once('data', resolve));
    response.destroy();
    await eventually(async () => (await bench.ask({ path: '/', headers: { cookie } })).status === 200);
    expect(bench.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});

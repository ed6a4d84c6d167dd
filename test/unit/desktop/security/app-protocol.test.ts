import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../../../electron/agent/index.ts';
import { securityHeaders } from '../../../../electron/console/page-files.ts';
import { createAppProtocol, type AnswerPage } from '../../../../electron/desktop/security/app-protocol.ts';

let folder = '';
let answer: AnswerPage;

const played: unknown[] = [];
const playClip: Agent['playClip'] = async (request) => {
  played.push(request);
  return request.ticket === 'a-ticket'
    ? { status: 206, headers: { 'content-range': 'bytes 2-3/10' }, bytes: Uint8Array.from([2, 3]) }
    : { status: 404, headers: {} };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-protocol-'));
  const pages = join(folder, 'pages');
  await mkdir(join(pages, 'assets'), { recursive: true });
  await mkdir(join(folder, 'pages-evil'));
  await writeFile(join(pages, 'index.html'), '<!doctype html><title>Desk</title>');
  await writeFile(join(pages, 'assets', 'index-12345678.js'), 'export {};');
  await writeFile(join(pages, 'assets', 'empty-12345678.css'), '');
  await writeFile(join(pages, 'assets', 'notes.txt'), 'no page');
  await writeFile(join(pages, '.hidden.js'), 'no page');
  await writeFile(join(folder, 'secret.json'), '{}');
  await writeFile(join(folder, 'pages-evil', 'x.js'), '1');
  await symlink(join(folder, 'secret.json'), join(pages, 'link.json'));
  await symlink(join(folder, 'pages-evil'), join(pages, 'out'));
  await symlink(join(pages, 'index.html'), join(pages, 'inside.html'));
  answer = createAppProtocol(pages, playClip);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const served: readonly (readonly [string, string])[] = [
  ['app://desk', 'text/html; charset=utf-8'],
  ['app://desk/', 'text/html; charset=utf-8'],
  ['app://desk/index.html', 'text/html; charset=utf-8'],
  ['app://desk/?theme=dark', 'text/html; charset=utf-8'],
  ['app://desk/#/uploads', 'text/html; charset=utf-8'],
  ['app://desk/inside.html', 'text/html; charset=utf-8'],
  ['app://desk/%69ndex.html', 'text/html; charset=utf-8'],
  ['app://desk/assets/index-12345678.js', 'text/javascript; charset=utf-8'],
  ['app://desk/assets/empty-12345678.css', 'text/css; charset=utf-8'],
];

/** Paths as they would arrive without Chromium's normalisation. `Request` normalises too, so they are plain strings. */
const refused: readonly (readonly [string, number])[] = [
  ['app://desk/none.html', 404],
  ['app://desk/assets', 404],
  ['app://desk/assets/', 400],
  ['app://desk//index.html', 400],
  ['app://desk/assets/notes.txt', 404],
  ['app://desk/.hidden.js', 400],
  ['app://desk/link.json', 404],
  ['app://desk/out/x.js', 404],
  ['app://desk/../secret.json', 400],
  ['app://desk/assets/../../secret.json', 400],
  ['app://desk/./index.html', 400],
  ['app://desk/%2e%2e/secret.json', 400],
  ['app://desk/%2E%2E/secret.json', 400],
  ['app://desk/.%2e/secret.json', 400],
  ['app://desk/%252e%252e/secret.json', 400],
  ['app://desk/..%2fsecret.json', 400],
  ['app://desk/..%5csecret.json', 400],
  ['app://desk/..\\secret.json', 400],
  ['app://desk/assets%2findex-12345678.js', 400],
  ['app://desk/index.html%00.js', 400],
  ['app://desk/\u0000', 400],
  ['app://desk/%ff', 400],
  ['app://desk/%', 400],
  ['app://desk/C:/Windows/win.ini', 400],
  ['app://desk/index.html:stream.js', 400],
  ['app://desk/~/x.js', 400],
  ['app://desk/a b.js', 400],
  [`app://desk/${'a'.repeat(2000)}.js`, 414],
  ['app://other/', 404],
  ['app://other/index.html', 404],
  ['app://desk.evil/index.html', 404],
  ['app://desk@evil/index.html', 404],
  ['app://user@desk/index.html', 404],
  ['app://desk:1/index.html', 404],
  ['APP://desk/index.html', 404],
  ['app:index.html', 404],
  ['file:///etc/passwd', 404],
  ['https://desk/index.html', 404],
  ['', 404],
];

/** The fields of a request that `answer` reads. */
const asSent = (url: string) => ({ url, method: 'GET' });

describe("checklist 3: the pages under the app's own scheme", () => {
  it.each(served)('%s is %s', async (url, type) => {
    const response = await answer(new Request(url));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
  });

  it.each(refused)('%s is refused with %d', async (url, status) => {
    const response = await answer(asSent(url) as Request);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
  });

  it('come whole', async () => {
    const response = await answer(new Request('app://desk/'));
    expect(await response.text()).toBe('<!doctype html><title>Desk</title>');
    expect(response.headers.get('content-length')).toBe('34');
  });

  it.each(['app://desk/', 'app://desk/none.html', 'app://other/'])(
    'have the headers of the console, refusals too: %s',
    async (url) => {
      const { headers } = await answer(new Request(url));
      for (const [name, value] of Object.entries(securityHeaders))
        expect(headers.get(name), name).toBe(value);
    },
  );

  it('answer a HEAD without the page', async () => {
    const response = await answer(new Request('app://desk/', { method: 'HEAD' }));
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      '34',
      '',
    ]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('take no %s', async (method) => {
    const response = await answer(new Request('app://desk/', { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a clip that a page plays', () => {
  it('is asked of the agent by ticket and range, and comes with the headers of every answer', async () => {
    const request = new Request('app://desk/clip/a-ticket', { headers: { range: 'bytes=2-3' } });
    const piece = await answer(request);
    expect(piece.status).toBe(206);
    expect([...new Uint8Array(await piece.arrayBuffer())]).toEqual([2, 3]);
    expect(piece.headers.get('content-range')).toBe('bytes 2-3/10');
    expect(piece.headers.get('x-content-type-options')).toBe('nosniff');
    expect(played).toEqual([{ ticket: 'a-ticket', method: 'GET', range: 'bytes=2-3' }]);
  });

  it.each([
    'app://desk/clip/../secret.json',
    'app://desk/clip/%2e%2e/x',
    'app://desk/clip/a/b',
    'app://other/clip/a',
  ])('is nothing under %s', async (url) => {
    const before = played.length;
    expect((await answer({ method: 'GET', url, headers: new Headers() } as Request)).status).not.toBe(206);
    expect(played).toHaveLength(before);
  });
});

import { expect, test } from 'vitest';
import { startBench } from './console-bench.ts';

const bytes = Uint8Array.from([7, 8, 9]);

test('a player reads a clip by pieces in its session, and nobody does without one', async (context) => {
  const asked: unknown[] = [];
  const bench = await startBench(context, {
    async playClip(request) {
      asked.push(request);
      return { status: 206, headers: { 'content-range': 'bytes 0-2/9' }, bytes };
    },
  });
  const page = await bench.login();
  const headers = { cookie: page.cookie, range: 'bytes=0-2' };
  const piece = await bench.ask({ path: '/clip/a-ticket', headers });
  expect(piece.status).toBe(206);
  expect(piece.headers['content-range']).toBe('bytes 0-2/9');
  expect(piece.headers['x-content-type-options']).toBe('nosniff');
  expect([...Buffer.from(piece.text)]).toEqual([...bytes]);
  expect(asked).toEqual([{ ticket: 'a-ticket', method: 'GET', range: 'bytes=0-2' }]);

  expect((await bench.ask({ path: '/clip/a-ticket', headers: { range: 'bytes=0-2' } })).status).toBe(401);
  const foreign = { ...headers, 'sec-fetch-site': 'cross-site' };
  expect((await bench.ask({ path: '/clip/a-ticket', headers: foreign })).status).toBe(403);
  expect(asked).toHaveLength(1);
});

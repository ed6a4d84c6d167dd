import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readJsonBody } from '../../../electron/console/exchange.ts';

/** A request as the server sees it, and the socket that it arrived on. */
async function receive(text: string) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  const request = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  socket.write(text);
  return { socket, request: await request };
}

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ';

it('reads JSON in UTF-8', async () => {
  const { request } = await receive(`${HEAD}8\r\n\r\n{"a":1} `);
  expect(await readJsonBody(request)).toEqual({ ok: true, value: { a: 1 } });
});

it('has nobody to refuse when the client leaves half-way', async () => {
  const { socket, request } = await receive(`${HEAD}100\r\n\r\n{"a"`);
  const body = readJsonBody(request);
  socket.destroy();
  expect(await body).toEqual({ ok: false, error: undefined });
});

it('refuses what is stated to be too large before any of it came', async () => {
  const { request } = await receive(`${HEAD}1048577\r\n\r\n`);
  expect(await readJsonBody(request)).toMatchObject({ ok: false, error: { status: 413 } });
});

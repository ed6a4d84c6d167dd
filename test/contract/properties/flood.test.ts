import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { constants, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { connectService } from '../../../electron/agent/service/connect-service.ts';
import { AgentEvents } from '../../../electron/agent/events.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { everyCall } from './every-call.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const SLICE = Buffer.alloc(64 * 1024, 'x');
/**
 * Largest answer that is read (8 MiB; lists, incidents and upload URLs 64 MiB), plus what sockets on both sides buffer,
 * bytes.
 */
const LIMIT_BYTES = 24 * MIB;
const LIST_LIMIT_BYTES = 80 * MIB;
/** Most memory that one call may use temporarily, client and server together, bytes. */
const MEMORY_BYTES = 96 * MIB;
const LIST_MEMORY_BYTES = 240 * MIB;
const isList = (name: string): boolean =>
  /Get (Periods|Actions|All Users|Upload Urls|An Incident)|Create.Update Incident/.test(name);

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(answer: (response: ServerResponse) => void) {
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return connectService(
    { settings: settingsSchema.parse({ baseUrl: `http://127.0.0.1:${port}` }), version: '0.0.0' },
    { clock: createSystemClock(), secrets: { apiKey: async () => 'a-key-for-tests' } },
    new AgentEvents(),
  );
}

/** Sends a gigabyte of JSON text as fast as it is read, and counts the bytes that were. */
function flood(response: ServerResponse, count: (bytes: number) => void): void {
  let left = GIB;
  response.on('error', () => undefined);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('"');
  const send = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= SLICE.length;
      count(SLICE.length);
      if (!response.write(SLICE)) {
        response.once('drain', send);
        return;
      }
    }
    response.end('"');
  };
  send();
}

const signal = new AbortController().signal;
const memory = () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

describe('an answer of a gigabyte', () => {
  it.each(everyCall)('input D4: is given up early by $name, in little memory', async ({ name, call }) => {
    let sentBytes = 0;
    let peak = 0;
    const before = memory();
    const service = await serve((response) =>
      flood(response, (bytes) => {
        sentBytes += bytes;
        peak = Math.max(peak, memory());
      }),
    );
    const result = await call(service, signal);
    service.stop();
    expect(result).toMatchObject({ ok: false, error: { code: 'API_TOO_LARGE' } });
    expect(sentBytes).toBeLessThan(isList(name) ? LIST_LIMIT_BYTES : LIMIT_BYTES);
    expect(peak - before).toBeLessThan(isList(name) ? LIST_MEMORY_BYTES : MEMORY_BYTES);
  });

  it('input D5: that was compressed to a megabyte is given up as early', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * MIB, '0'), { level: constants.Z_BEST_SPEED });
    const service = await serve((response) => {
      response.on('error', () => undefined);
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      // A gzip file may consist of several members
      for (let count = 0; count < 16; count += 1) response.write(zeros);
      response.end();
    });
    const before = memory();
    const result = await service.incidents.get('i', signal);
    service.stop();
    expect(result).toMatchObject({ ok: false, error: { code: 'API_TOO_LARGE' } });
    expect(memory() - before).toBeLessThan(MEMORY_BYTES);
  });
});

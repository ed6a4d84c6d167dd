import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { rewriteUrls, startFront } from '../helpers/front.ts';
import type { Simulator } from '../simulator/index.ts';

/** How poor a line is. TCP turns lost packets into delay, so delay is what is simulated here. */
export interface PoorLine {
  readonly bytesPerSecond?: number;
  /** Share of packets that are lost and sent again. */
  readonly lossShare?: number;
  /** In each direction, milliseconds. */
  readonly latencyMs?: number;
  /** Bytes forwarded at a time. */
  readonly pieceBytes?: number;
  /** Delay of the end of a connection, milliseconds. */
  readonly closeMs?: number;
}

/** Time after which TCP sends a lost piece again, milliseconds. */
const RESEND_MS = 200;
const PACKET_BYTES = 1_460;
/** Bytes of a connection up to which small pieces are forwarded one by one: more would take hours. */
const MOST_SINGLE_BYTES = 600;

/** Puts the line between an agent and the simulator; returns the service's address for the agent. */
export async function startPoorLine(
  context: Pick<TestContext, 'onTestFinished'>,
  simulator: Simulator,
  line: PoorLine,
): Promise<string> {
  const storage = await startFront(context, { target: new URL(simulator.storageUrl).origin });
  const storageLine = await openLine(context, new URL(storage.url), line);
  const rewrite = rewriteUrls((url) => url.replace(new URL(simulator.storageUrl).origin, storageLine));
  const service = await startFront(context, { target: new URL(simulator.baseUrl).origin, rewrite });
  return `${await openLine(context, new URL(service.url), line)}/v1`;
}

async function openLine(
  context: Pick<TestContext, 'onTestFinished'>,
  target: URL,
  line: PoorLine,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => [near, far].map((each) => each.destroy()))
        .on('close', () => sockets.delete(socket));
    }
    void carry(near, far, line);
    void carry(far, near, line);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const { port } = address as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function carry(from: Socket, to: Socket, line: PoorLine): Promise<void> {
  const { bytesPerSecond = Infinity, lossShare = 0, latencyMs = 0, closeMs = 0 } = line;
  let carried = 0;
  try {
    for await (const chunk of from) {
      const bytes: Buffer = chunk;
      await sleep(latencyMs);
      for (let at = 0; at < bytes.length;) {
        const isSingle = line.pieceBytes !== undefined && carried < MOST_SINGLE_BYTES;
        const piece = bytes.subarray(at, at + (isSingle ? (line.pieceBytes ?? 1) : PACKET_BYTES * 8));
        at += piece.length;
        carried += piece.length;
        // When some of the eight packets are lost, the line waits for them once
        const isLost = Math.random() < 1 - (1 - lossShare) ** Math.ceil(piece.length / PACKET_BYTES);
        await sleep((piece.length / bytesPerSecond) * 1_000 + (isLost ? RESEND_MS * lossShare : 0));
        if (!to.write(piece))
          await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      }
    }
    await sleep(closeMs);
    to.end();
  } catch {
    to.destroy();
  }
}

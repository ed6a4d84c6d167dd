import type { Exchange } from './exchange.ts';

/** Largest JSON body that the service accepts: an incident of 10,000 videos is about 6 MB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The whole body, or undefined when the client left or sent more than the service accepts. */
export async function readBody(exchange: Exchange): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of exchange.request) {
      exchange.entry.bytesReceived += chunk.length;
      if (exchange.entry.bytesReceived > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined; // the client left: there is nobody to answer
  }
  return exchange.request.complete ? Buffer.concat(chunks) : undefined;
}

/** Reads and discards the rest of the body, so that the client is listening when the answer arrives. */
export async function drainBody(exchange: Exchange): Promise<void> {
  const { request, entry } = exchange;
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    request.on('data', (chunk: Buffer) => (entry.bytesReceived += chunk.length));
    request.once('end', resolve);
    request.once('close', resolve);
  });
}

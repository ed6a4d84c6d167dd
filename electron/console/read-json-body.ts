import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import type { Refusal } from './refusal.ts';

/** What a request posted. `undefined` as an error: the client left, and there is nobody to refuse. */
export async function readJsonBody(request: IncomingMessage): Promise<Result<unknown, Refusal | undefined>> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return err(tooLarge);
  const body = await readBytes(request);
  if (!body.ok) return body;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body.value);
    const value: unknown = JSON.parse(text);
    return ok(value);
  } catch {
    return err({ status: 400, text: 'The request is not JSON in UTF-8.' });
  }
}

const tooLarge: Refusal = { status: 413, text: 'The request is larger than 1 MB.' };

/** What is over the limit is read on and forgotten, so that the refusal meets a client that listens. */
function readBytes(request: IncomingMessage): Promise<Result<Buffer, Refusal | undefined>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= MAX_BODY_BYTES) return void chunks.push(chunk);
      chunks.length = 0;
      resolve(err(tooLarge));
    });
    request.once('end', () => resolve(ok(Buffer.concat(chunks))));
    request.once('close', () => resolve(err(undefined)));
  });
}

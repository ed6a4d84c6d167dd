import { open, type FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Exchange } from './exchange.ts';
import { findAsset } from './find-asset.ts';
import { securityHeaders } from './security-headers.ts';
import type { Refusal } from './refusal.ts';

/** A year: what has its hash in its name is never asked for again. */
const FIXED = 'private, max-age=31536000, immutable';

/** Serves one file of the pages, or says that there is none; `GET` and `HEAD`. */
export async function serveAsset(
  { request, response }: Exchange,
  assetsDir: string,
  segments: readonly string[],
): Promise<Refusal | undefined> {
  const asset = await findAsset(assetsDir, segments);
  const handle = asset && (await open(asset.file).catch(() => undefined));
  if (asset === undefined || handle === undefined) return notFound;
  try {
    const { size, isFile } = await factsOf(handle);
    if (!isFile) return notFound;
    response.writeHead(200, {
      ...securityHeaders,
      'content-type': asset.type,
      'content-length': size,
      ...(asset.isFixed && { 'cache-control': FIXED }),
    });
    if (request.method === 'HEAD' || size === 0) response.end();
    else await send(handle, size, response);
    return undefined;
  } finally {
    await handle.close();
  }
}

async function factsOf(handle: FileHandle): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const facts = await handle.stat();
  return { size: facts.size, isFile: facts.isFile() };
}

/** A reader that leaves half-way is no fault; its answer is destroyed with the stream. */
async function send(handle: FileHandle, size: number, response: ServerResponse): Promise<void> {
  const bytes = handle.createReadStream({ end: size - 1, autoClose: false });
  await pipeline(bytes, response).catch(() => undefined);
}

const notFound: Refusal = { status: 404, text: 'There is nothing under this address.' };

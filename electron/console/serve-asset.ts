import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Exchange } from './answer.ts';
import { findAsset } from './find-asset.ts';
import { securityHeaders } from './headers.ts';
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
  if (handle === undefined) return notFound;
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return notFound;
    response.writeHead(200, {
      ...securityHeaders,
      'content-type': asset.type,
      'content-length': facts.size,
      ...(asset.isFixed && { 'cache-control': FIXED }),
    });
    if (request.method === 'HEAD' || facts.size === 0) {
      response.end();
      return;
    }
    // A reader that leaves half-way is no fault; the response is destroyed with the stream
    await pipeline(handle.createReadStream({ end: facts.size - 1, autoClose: false }), response).catch(() => undefined);
  } finally {
    await handle.close();
  }
}

const notFound: Refusal = { status: 404, text: 'There is nothing under this address.' };

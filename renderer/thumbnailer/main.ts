import type { PageAnswer } from '../../shared/domain/thumbnail-answer.ts';
import { THUMBNAIL_DEADLINE_MS } from '../../shared/domain/thumbnail-limits.ts';
import { makeThumbnail } from './make-thumbnail.ts';
import { Trouble } from './trouble.ts';

/**
 * The page of a hidden window: its address says where the clip is (`clip`), where the answer goes (`answer`), and how
 * long it may take (`deadlineMs`). All of it is on the page's own origin; the policy of the page allows no other.
 */
async function main(): Promise<void> {
  const told = new URLSearchParams(location.search);
  const clip = ownAddress(told.get('clip'));
  const answer = ownAddress(told.get('answer'));
  const deadlineMs = Number(told.get('deadlineMs') ?? THUMBNAIL_DEADLINE_MS);
  const body = JSON.stringify(await makeAnswer(clip, AbortSignal.timeout(deadlineMs)));
  // oxlint-disable-next-line no-restricted-globals
  await fetch(answer, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function makeAnswer(clip: URL, signal: AbortSignal): Promise<PageAnswer> {
  try {
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Trouble('deadline')), { once: true });
    });
    const { jpeg, facts } = await Promise.race([makeThumbnail(clip, signal), late]);
    return { kind: 'made', jpeg: base64Of(jpeg), facts };
  } catch (error) {
    const { reason, codec } = error instanceof Trouble ? error : new Trouble('damaged');
    return { kind: 'none', reason, ...(codec === undefined ? {} : { codec }) };
  }
}

function ownAddress(path: string | null): URL {
  const address = new URL(path ?? '', location.href);
  if (path === null || address.host !== location.host || address.protocol !== location.protocol)
    throw new Error('The page was not told where the clip is');
  return address;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

await main();

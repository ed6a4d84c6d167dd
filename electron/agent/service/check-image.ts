import { fileTypeFromBuffer } from 'file-type';
import {
  MAX_IMAGE_BYTES,
  type ImageCheck,
  type NotificationImage,
} from '../../../shared/domain/chat-message.ts';
import { judgeImage, tooLargeImage } from '../core/team/judge-image.ts';
import type { Clock } from '../ports.ts';
import {
  createImageClient,
  type ImageAnswer,
  type ImageClient,
  type ImageClientOptions,
} from './image-client.ts';
import type { Messages } from './team-service.ts';

/** Longest look at an image, milliseconds: a person waits to send. */
const DEADLINE_MS = 15_000;
const TOO_SLOW = 'The address did not answer within 15 s.';
/** What the check is made of. */
export interface ImageCheckOptions extends ImageClientOptions {
  readonly clock: Clock;
}

/** Makes the check of notification images: it sees what a phone would see, without the key. */
export function createImageCheck({ clock, ...options }: ImageCheckOptions): Messages['checkImage'] {
  return async (image, signal) => {
    const ended = new AbortController();
    const deadline = new AbortController();
    clock.sleep(DEADLINE_MS, ended.signal).then(
      () => deadline.abort(),
      () => undefined,
    );
    const client = createImageClient(options);
    try {
      const seen = await lookAt(client, image, AbortSignal.any([signal, deadline.signal]));
      return deadline.signal.aborted && seen.kind === 'unchecked'
        ? { kind: 'unchecked', reason: TOO_SLOW }
        : seen;
    } finally {
      ended.abort();
      client.stop();
    }
  };
}

async function lookAt(
  client: ImageClient,
  image: NotificationImage,
  signal: AbortSignal,
): Promise<ImageCheck> {
  const address = client.checkAddress(image.url);
  if (address.kind !== 'open') return address;
  const head = await client.ask(address.url, { look: 'headers', signal });
  const told = isGood(head) ? head.totalBytes : undefined;
  if (told !== undefined && told > MAX_IMAGE_BYTES) return tooLargeImage(told);
  const look = told === undefined ? 'size' : 'first bytes';
  const answer = await client.ask(address.url, { look, signal });
  if (!isGood(answer)) return unseen(answer);
  const { bytes, totalBytes } = answer;
  const found = await fileTypeFromBuffer(bytes);
  return judgeImage({ sizeBytes: totalBytes ?? told ?? bytes.length, foundType: found?.ext }, image.type);
}

type GoodAnswer = Extract<ImageAnswer, { kind: 'answer' }>;

const isGood = (answer: ImageAnswer): answer is GoodAnswer =>
  answer.kind === 'answer' && (answer.status === 200 || answer.status === 206);

/** An address that is not there is refused; one that cannot be looked at from here says nothing about the phone. */
function unseen(answer: ImageAnswer): ImageCheck {
  if (answer.kind === 'none') return { kind: 'unchecked', reason: answer.reason };
  const { status } = answer;
  if (status === 404 || status === 410)
    return { kind: 'refused', reason: `There is no image at the address (HTTP ${status}).` };
  if (status === 416) return { kind: 'refused', reason: 'The address brings an empty file.' };
  const what = status >= 300 && status < 400 ? 'sends elsewhere' : 'does not show the image to this PC';
  return { kind: 'unchecked', reason: `The address ${what} (HTTP ${status}).` };
}

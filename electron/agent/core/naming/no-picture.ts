import type { Failure } from '../../../../shared/domain/failure.ts';
import type { NoThumbnail, NoThumbnailReason } from '../../../../shared/domain/thumbnail-answer.ts';

/** Trouble that may be over at the second try; bytes and codecs stay what they are. */
const PASSING: ReadonlySet<NoThumbnailReason> = new Set(['read', 'deadline', 'crash']);

const texts: Readonly<Record<Exclude<NoThumbnailReason, 'codec'>, string>> = {
  format: 'This kind of file cannot be opened here.',
  noVideo: 'There is no video in it.',
  size: 'The size of its frames is stated beyond reason.',
  black: 'Every frame that was tried is black or of one colour.',
  torn: 'No frame that was tried is whole.',
  read: 'Its bytes could not be read.',
  limit: 'Too much of it would have to be read.',
  damaged: 'The file is damaged or cut off.',
  deadline: 'It took too long.',
  crash: 'The decoder failed.',
  off: 'The decoder failed several times; it is off until the app is started again.',
};

/** How people call what containers call otherwise. */
const codecNames: ReadonlyMap<string, string> = new Map([
  ['hevc', 'H.265'],
  ['avc', 'H.264'],
  ['av1', 'AV1'],
  ['vp8', 'VP8'],
  ['vp9', 'VP9'],
  ['prores', 'ProRes'],
]);

/** NO_PICTURE: why no picture came out of a clip. `probedCodec` is what the media probe called its codec, if it did. */
export function noPicture({ reason, codec }: NoThumbnail, probedCodec?: string): Failure {
  return {
    code: 'NO_PICTURE',
    message: reason === 'codec' ? undecodable(codec, probedCodec) : texts[reason],
    advice: 'The clip is sent without a picture.',
    retryable: PASSING.has(reason),
  };
}

function undecodable(codec: string | undefined, probedCodec: string | undefined): string {
  const name = (codec === undefined ? undefined : (codecNames.get(codec) ?? codec)) ?? probedCodec;
  return `${name ?? 'Its video'} cannot be decoded here.`;
}

/** NO_PICTURE for a clip that is not sent any more. */
export const clipGivenUp: Failure = {
  code: 'NO_PICTURE',
  message: 'The clip was given up before.',
  advice: 'Trying the clip again tries its picture too.',
  retryable: false,
};

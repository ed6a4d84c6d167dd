import { readEpoch, type Recogniser } from '../recogniser.ts';

/** Longest clip of a camera that names start and end in seconds since 1970, milliseconds. */
const LONGEST_CLIP_MS = 86_400_000;

/** TP-Link Tapo, as Home Assistant keeps its recordings: `start-end` in seconds since 1970. */
export const tapo: Recogniser = {
  name: 'tapo',
  system: 'TP-Link Tapo (Home Assistant)',
  clock: 'utc',
  trust: 'vendor',
  label: 'seen',
  source: 'HomeAssistant-Tapo-Control issue 509',
  notKnown: 'the camera',
  shapes: [
    {
      parts: [/^(?<s>\d{10})-(?<e>\d{10})\.mp4$/],
      read: ({ s = '', e = '' }) => {
        const [start, end] = [readEpoch(s), readEpoch(e)];
        if (start?.kind !== 'instant' || end?.kind !== 'instant') return undefined;
        const lengthMs = end.ms - start.ms;
        return lengthMs > 0 && lengthMs <= LONGEST_CLIP_MS ? { start, end } : undefined;
      },
    },
  ],
  samples: [
    {
      path: '1706108297-1706108310.mp4',
      expect: { start: '2024-01-24T14:58:17Z', end: '2024-01-24T14:58:30Z' },
    },
  ],
  refuses: ['1706108310-1706108297.mp4', '5706108297-5706108310.mp4', '1706108297-1806108310.mp4'],
};

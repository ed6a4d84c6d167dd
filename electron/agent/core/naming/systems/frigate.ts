import { readDigits, type Recogniser } from '../recogniser.ts';

/** Frigate: exports, named in the server's zone, and its store of recordings in UTC. */
export const frigate: Recogniser = {
  name: 'frigate',
  system: 'Frigate',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'frigate/record/export.py; frigate pull request 9248 and issue 5691 for recordings',
  notKnown: 'times of an export that was given a name',
  shapes: [
    { parts: [/^(?<cam>.+)_(?<s>\d{8}_\d{6})-(?<e>\d{8}_\d{6})_[a-z0-9]{4,8}(?: \(\d{1,3}\))?\.mp4$/] },
    {
      parts: [/^(?<d>\d{4}-\d{2}-\d{2})$/, /^(?<h>\d{2})$/, /^(?<cam>[\w-]+)$/, /^(?<m>\d{2}\.\d{2})\.mp4$/],
      clock: 'utc',
      read: ({ d = '', h = '', cam = '', m = '' }) => {
        const start = readDigits(`${d}${h}${m}`);
        return start && { cameraName: cam, start };
      },
    },
  ],
  samples: [
    {
      path: 'front_door_20260501_193005-20260501_193205_a1b2c3.mp4',
      expect: { cameraName: 'front_door', start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
    },
    {
      path: 'Gate 4_20261025_013000-20261025_014000_k9x2pq.mp4',
      expect: { cameraName: 'Gate 4', start: '2026-10-25T01:30:00', end: '2026-10-25T01:40:00' },
    },
    {
      path: '2026-05-01/19/front_door/30.05.mp4',
      expect: { cameraName: 'front_door', start: '2026-05-01T19:30:05' },
    },
  ],
  refuses: [
    'front_door_20260501_193005-20260501_193205.mp4',
    'front_door_a1b2c3.mp4',
    '2026-05-01/24/front_door/30.05.mp4',
    'front_door/30.05.mp4',
  ],
};

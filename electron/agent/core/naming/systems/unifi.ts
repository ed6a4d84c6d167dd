import {
  hourOf,
  readDigits,
  readIsoTime,
  written,
  type Groups,
  type NameFields,
  type Recogniser,
} from '../recogniser.ts';

/** UniFi Protect's own downloads, and two programs that fetch its recordings. */
export const unifi: Recogniser = {
  name: 'unifi',
  system: 'UniFi Protect, unifi archiver, unifi-protect-backup',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'unifi-protect-video-downloader issues 14 and 130 (seen); unifi-protect-backup: its default path',
  notKnown:
    'starts of unifi-protect-backup: the name has the end, and the word behind it is the kind of detection',
  shapes: [
    {
      parts: [
        /^(?<cam>.+) - (?<mo>\d{1,2})-(?<d>\d{1,2})-(?<y>\d{4}), (?<h>\d{1,2})\.(?<mi>\d{2})\.(?<s>\d{2})[ \u00a0\u202f]?(?<half>[AaPp][Mm])\.(?:mp4|jpg)$/,
      ],
      read: readProtect,
    },
    {
      parts: [
        /^(?<cam>.+) [0-9a-fA-F]{4} - (?<d>\d{4}-\d{2}-\d{2}) - (?<t>\d{2}\.\d{2}\.\d{2})(?<z>Z|[+-]\d{2}:?\d{2})\.mp4$/,
      ],
      clock: 'zoned',
      read: ({ cam = '', d = '', t = '', z = '' }) => {
        const start = readIsoTime(`${d}T${t}${z}`);
        return start && { cameraName: cam.trim(), start };
      },
    },
    {
      parts: [
        /^(?<cam>.+)$/,
        /^(?<day>\d{4}-\d{2}-\d{2})$/,
        /^(?<e>\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}) [A-Za-z][A-Za-z ,()-]*\.mp4$/,
      ],
      read: readBackup,
    },
  ],
  samples: [
    {
      path: 'Front Door - 2-9-2020, 11.21.12pm.mp4',
      expect: { cameraName: 'Front Door', start: '2020-02-09T23:21:12' },
    },
    {
      path: 'Front Door 1a2b - 2021-05-01 - 19.30.05+0100.mp4',
      expect: { cameraName: 'Front Door', start: '2021-05-01T18:30:05Z' },
    },
    {
      path: 'Front Door/2022-01-22/2022-01-23T00-01-05 motion.mp4',
      expect: { cameraName: 'Front Door', end: '2022-01-23T00:01:05' },
    },
  ],
  refuses: [
    'Front Door - 2-9-2020, 23.21.12pm.mp4',
    'Front Door - 31-9-2020, 11.21.12pm.mp4',
    'Front Door - 2021-05-01 - 19.30.05.mp4',
    'Front Door/2022-01-22/2022-02-23T00-01-05 motion.mp4',
  ],
};

function readProtect({ cam = '', y, mo, d, h = '', mi, s, half }: Groups): NameFields | undefined {
  const start = written([Number(y), Number(mo), Number(d), hourOf(h, half), Number(mi), Number(s)]);
  return start && { cameraName: cam.trim(), start };
}

const DAY_MS = 86_400_000;

/** The folder has the day of the start, so that the end is on it or on the next one. */
function readBackup({ cam, day = '', e = '' }: Groups): NameFields | undefined {
  const end = readDigits(e);
  const aheadMs = Date.parse(e.slice(0, 10)) - Date.parse(day);
  if (end === undefined || (aheadMs !== 0 && aheadMs !== DAY_MS)) return undefined;
  return { ...(cam !== undefined && { cameraName: cam.trim() }), end };
}

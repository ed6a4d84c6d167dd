import {
  hourOf,
  readDigits,
  readIsoTime,
  written,
  type Groups,
  type NameFields,
  type Recogniser,
} from '../recogniser.ts';

const recorderName =
  /^(?<rec>[A-Za-z0-9-]+)[_-]ch(?<ch>\d{1,4})[_-](?:main|sub|extra\d?)[_-](?<s>\d{14})[_-](?<e>\d{14})(?:[_-][^.]+)?\.(?:dav|mp4|avi|asf|mkv)$/i;
const cardName =
  /^(?<s>\d{2}\.\d{2}\.\d{2})-(?<e>\d{2}\.\d{2}\.\d{2})\[[A-Za-z]{1,3}\]\[\d{1,3}@\d{1,3}\]\[\d{1,9}\]\.(?:dav|mp4)$/;
const cardFolders = [/^(?<d>\d{4}-\d{2}-\d{2})$/, /^(?<ch>\d{3})$/, /^dav$/, /^\d{2}$/, cardName];

/** Recorders with cameras of the same maker. */
export const recorders: readonly Recogniser[] = [
  /** Recorders of Dahua and those sold as Lorex or Amcrest, and the memory cards of their cameras. */
  {
    name: 'dahua',
    system: 'Dahua, Lorex, Amcrest',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'clip names in public code; card folders in three public repositories',
    notKnown: 'times inside `.dav` files',
    shapes: [
      { parts: [recorderName] },
      { parts: [/^(?<cam>[^/]+)$/, ...cardFolders] },
      { parts: cardFolders },
    ],
    samples: [
      {
        path: 'NVR_ch1_main_20230619064223_20230619064228.dav',
        expect: { recorder: 'NVR', channel: '1', start: '2023-06-19T06:42:23', end: '2023-06-19T06:42:28' },
      },
      {
        path: 'XVR_ch12_main_20260604130000_20260604135959_camera2.mp4',
        expect: { recorder: 'XVR', channel: '12', start: '2026-06-04T13:00:00', end: '2026-06-04T13:59:59' },
      },
      {
        path: 'NPV-CH01-MAIN-20171215143022-20171215143522.DAV',
        expect: { recorder: 'NPV', channel: '1', start: '2017-12-15T14:30:22', end: '2017-12-15T14:35:22' },
      },
      {
        path: '2025-01-10/001/dav/08/08.00.00-08.59.59[M][0@0][0].dav',
        expect: { channel: '1', start: '2025-01-10T08:00:00', end: '2025-01-10T08:59:59' },
      },
      {
        path: 'Loading bay/2025-01-10/001/dav/23/23.58.00-00.01.59[R][0@0][0].mp4',
        expect: {
          cameraName: 'Loading bay',
          channel: '1',
          start: '2025-01-10T23:58:00',
          end: '2025-01-11T00:01:59',
        },
      },
    ],
    refuses: [
      'NVR_ch1_main_20231319064223_20231319064228.dav',
      'NVR_ch1_main_20230619064223.dav',
      '08.00.00-08.59.59[M][0@0][0].dav',
      '2025-01-10/001/dav/08/24.00.00-24.59.59[M][0@0][0].dav',
    ],
  },
  /**
   * DIGIOP: a folder of the day; two digits after the time count cameras from 00. The `.INX` beside it belongs to it.
   */
  {
    name: 'digiop',
    system: 'DIGIOP',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'manual, appendix E',
    notKnown: 'end times; the meaning of the last letter',
    shapes: [
      {
        parts: [/^(?<d>\d{8})$/, /^(?<s>\d{6})(?<camera>\d{2})[A-Z]\.DSF$/i],
        read: ({ d = '', s = '', camera = '' }) => {
          const start = readDigits(d + s);
          return start && { channel: String(Number(camera) + 1), start };
        },
      },
    ],
    samples: [{ path: '20110601/09244102D.DSF', expect: { channel: '3', start: '2011-06-01T09:24:41' } }],
    refuses: ['09244102D.DSF', '20111301/09244102D.DSF', '20110601/09246102D.DSF'],
  },
  /** Hikvision: blocks of a recorder's disk, ranges exported from it, and what cameras send by FTP. */
  {
    name: 'hikvision',
    system: 'Hikvision',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source:
      'public programs that read its file names; for time ranges, a public listing whose vendor is inferred',
    notKnown:
      'names from iVMS-4200 and HikCentral; the times of block files, whose digits are a block number',
    shapes: [
      { parts: [/^ch(?<ch>\d{2})_\d{17}\.(?:mp4|avi|mkv)$/] },
      { parts: [/^hiv\d{5}\.mp4$/] },
      { parts: [/^ch(?<ch>\d{2})_\d{17}_(?<s>\d{14})_(?<e>\d{14})(?:_\d{1,9})?(?:\.\w{2,4})?$/] },
      {
        parts: [
          /^(?<dev>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})_(?<ch>\d{2})_(?<s>\d{17})_[A-Z_]+\.(?:jpg|mp4)$/,
        ],
      },
    ],
    samples: [
      { path: 'ch01_00000000229000000.mp4', expect: { channel: '1' } },
      { path: 'hiv00000.mp4', expect: {} },
      {
        path: 'ch01_00000000001000000_20260127075543_20260127075842_685001',
        expect: { channel: '1', start: '2026-01-27T07:55:43', end: '2026-01-27T07:58:42' },
      },
      {
        path: '192.168.0.64_01_20190319093422939_MOTION_DETECTION.jpg',
        expect: { device: '192.168.0.64', channel: '1', start: '2019-03-19T09:34:22.939' },
      },
    ],
    refuses: [
      'ch01_00000000001000000_20261327075543_20260127075842_685001',
      'ch01_0000000022900000.mp4',
      '192.168.0.64_01_20190319250000000_MOTION_DETECTION.jpg',
    ],
  },
  /** Synology Surveillance Station: a folder for each half day below that of the camera. */
  {
    name: 'synology',
    system: 'Synology Surveillance Station',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'two public programs that read its folders',
    notKnown: 'file names: times in them are read as in any other name',
    shapes: [
      {
        parts: [/^(?<cam>.+)$/, /^\d{8}[AP]M$/, /^[^/]+\.(?:mp4|avi|mkv)$/i],
        hasFreeFileName: true,
      },
    ],
    samples: [{ path: 'surveillance/Gate 4/20240106AM/clip.mp4', expect: { cameraName: 'Gate 4' } }],
    refuses: ['Gate 4/20240106/clip.mp4', '20240106AM/clip.txt'],
  },
  /** UniFi Protect's own downloads, and two programs that fetch its recordings. */
  {
    name: 'unifi',
    system: 'UniFi Protect, unifi archiver, unifi-protect-backup',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'unifi-protect-video-downloader issues 14 and 130 (seen); unifi-protect-backup: its default path',
    notKnown:
      'start times of unifi-protect-backup: the name contains the end time, followed by the kind of detection',
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
  },
  /** Uniview: recordings by day, with the address and id of the camera. */
  {
    name: 'uniview',
    system: 'Uniview',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'NVR302 manual, page 98',
    notKnown: 'the date if its folder is missing',
    shapes: [
      {
        parts: [
          /^(?<d>\d{4}-\d{2}-\d{2})$/,
          /^(?<dev>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})_(?<cam>.+)_S(?<s>\d{2}-\d{2}-\d{2})E(?<e>\d{2}-\d{2}-\d{2})(?:\.\w{2,4})?$/,
        ],
      },
    ],
    samples: [
      {
        path: 'Record/2020-03-04/192.168.1.13_Gate 2_S08-00-00E08-30-00.mp4',
        expect: {
          device: '192.168.1.13',
          cameraName: 'Gate 2',
          start: '2020-03-04T08:00:00',
          end: '2020-03-04T08:30:00',
        },
      },
      {
        path: 'Record/2020-03-04/192.168.1.13_D1_S23-45-00E00-15-00.ts',
        expect: {
          device: '192.168.1.13',
          cameraName: 'D1',
          start: '2020-03-04T23:45:00',
          end: '2020-03-05T00:15:00',
        },
      },
    ],
    refuses: [
      '192.168.1.13_D1_S08-00-00E08-30-00.mp4',
      'Record/2020-03-04/192.168.1.13_D1_S08-60-00E08-30-00.mp4',
      'Record/2020-02-30/192.168.1.13_D1_S08-00-00E08-30-00.mp4',
    ],
  },
];

function readProtect({ cam = '', y, mo, d, h = '', mi, s, half }: Groups): NameFields | undefined {
  const start = written([Number(y), Number(mo), Number(d), hourOf(h, half), Number(mi), Number(s)]);
  return start && { cameraName: cam.trim(), start };
}

const DAY_MS = 86_400_000;

/** The folder has the day of the start, so the end is on that day or the next. */
function readBackup({ cam, day = '', e = '' }: Groups): NameFields | undefined {
  const end = readDigits(e);
  const aheadMs = Date.parse(e.slice(0, 10)) - Date.parse(day);
  if (end === undefined || (aheadMs !== 0 && aheadMs !== DAY_MS)) return undefined;
  return { ...(cam !== undefined && { cameraName: cam.trim() }), end };
}

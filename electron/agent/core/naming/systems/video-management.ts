import {
  hourOf,
  monthOf,
  readDigits,
  readEpoch,
  written,
  type Groups,
  type NameFields,
  type Recogniser,
} from '../recogniser.ts';

const oneCamera =
  /^(?<cam>.+)_(?<y>\d{4})_(?<mo>\d{2}|[A-Za-z]{3})_(?<d>\d{2})_(?<h>\d{1,2})(?<half>AM|PM)?_(?<mi>\d{2})_(?<s>\d{2})(?: \(\d{1,3}\))?\.(?:mkv|avi|mp4|png|jpg)$/;
/** A `.nov` holds several cameras: its name is that of a layout. */
const severalCameras =
  /^.+_(?<y>\d{4})_(?<mo>\d{2}|[A-Za-z]{3})_(?<d>\d{2})_(?<h>\d{1,2})(?<half>AM|PM)?_(?<mi>\d{2})_(?<s>\d{2})(?: \(\d{1,3}\))?\.nov$/;

/** Video management systems for cameras of any maker. */
export const videoManagement: readonly Recogniser[] = [
  /** Blue Iris: `&CAM.%Y%m%d_%H%M%S`, the camera's short name before the dot. */
  {
    name: 'blue-iris',
    system: 'Blue Iris',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'Blue Iris help, recording and clips',
    notKnown: "end times; names made with the user's own template",
    shapes: [
      { parts: [/^(?<cam>[^.]+)\.(?<s>\d{8}_\d{6})(?:\.\d{1,6})?(?:\.[\w-]+)?\.(?:bvr|mp4|avi|wmv|jpg)$/] },
    ],
    samples: [
      { path: 'GateN.20260501_193005.bvr', expect: { cameraName: 'GateN', start: '2026-05-01T19:30:05' } },
      { path: 'Cam 2.20260501_193005.3.mp4', expect: { cameraName: 'Cam 2', start: '2026-05-01T19:30:05' } },
    ],
    refuses: ['GateN.20260532_193005.bvr', 'GateN_20260501_193005.bvr', '.20260501_193005.bvr'],
  },
  /** Cloudvue: `<MAC>/YYYY-MM-DD/<seconds since 1970>.mp4`, folder and name in UTC. */
  {
    name: 'cloudvue',
    system: 'Johnson Controls Cloudvue',
    clock: 'utc',
    trust: 'vendor',
    label: 'documented',
    source: 'exacq-cms.johnsoncontrols.com, tag file-location',
    notKnown: 'end times; the camera name',
    shapes: [
      {
        parts: [
          /^(?<dev>[0-9A-Fa-f]{2}(?:[:-]?[0-9A-Fa-f]{2}){5})$/,
          /^(?<d>\d{4}-\d{2}-\d{2})$/,
          /^(?<s>\d{9,10})\.mp4$/,
        ],
        read: ({ dev = '', d = '', s = '' }) => {
          const start = readEpoch(s);
          const isOfDay = start?.kind === 'instant' && new Date(start.ms).toISOString().startsWith(d);
          return isOfDay ? { device: dev, start } : undefined;
        },
      },
    ],
    samples: [
      {
        path: '0a1b2c3d4e5f/2021-06-01/1622570400.mp4',
        expect: { device: '0a1b2c3d4e5f', start: '2021-06-01T18:00:00Z' },
      },
    ],
    refuses: ['0a1b2c3d4e5f/2021-06-03/1622570400.mp4', '2021-06-01/1622570400.mp4', '1622570400.mp4'],
  },
  /** exacqVision: the store of the server by hour. A `.psi` beside a `.ps` is its index. */
  {
    name: 'exacqvision',
    system: 'exacqVision server store',
    clock: 'unsaid',
    trust: 'vendor',
    label: 'documented',
    source: 'exacq-cms.johnsoncontrols.com, tags file-storage and directory-structure',
    notKnown:
      'which clock the folders show; end times; names from the client, whose self-playing video is a program',
    shapes: [
      {
        parts: [
          /^(?<y>\d{4})$/,
          /^(?<mo>\d{2})$/,
          /^(?<d>\d{2})$/,
          /^(?<h>\d{2})$/,
          /^(?<t>\d{4})-(?<dev>[0-9A-Fa-f]{8})\.ps$/,
        ],
        read: ({ y = '', mo = '', d = '', h = '', t = '', dev = '' }) => {
          const start = readDigits(y + mo + d + h + t);
          return start && { device: dev, start };
        },
      },
    ],
    samples: [
      {
        path: '2021/06/01/18/0530-0A000100.ps',
        expect: { device: '0A000100', start: '2021-06-01T18:05:30' },
      },
    ],
    refuses: [
      '2021/13/01/18/0530-0A000100.ps',
      '06/01/18/0530-0A000100.ps',
      '2021/06/01/18/6030-0A000100.ps',
    ],
  },
  /** Genetec snapshots: the date is written in the desk's language, so day and month are never guessed. */
  {
    name: 'genetec',
    system: 'Genetec Security Desk snapshots',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'Security Center user guide, taking snapshots',
    notKnown:
      'times (the order of day and month depends on the language); default clip names; which elements in the XML of a Mission Control package contain times, cameras and notes (only the files that it names are read from it)',
    shapes: [
      { parts: [/^(?<cam>.+) \([^()]*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}[^()]*\)\.(?:png|jpe?g|bmp|gif)$/i] },
    ],
    samples: [
      { path: 'Gate 4 (5-1-2026 7-30-05 PM).png', expect: { cameraName: 'Gate 4' } },
      { path: 'Gate 4 (01.05.2026 19-30-05).png', expect: { cameraName: 'Gate 4' } },
    ],
    refuses: ['Gate 4 (1).png', 'Gate 4 (5-1-2026 7-30-05 PM).mp4'],
  },
  /**
   * Milestone: files of its community Auto Exporter, whose folder has the time of the run and not of the clip, and
   * snapshots of PSTools. Exports in the XProtect format are not clips: see `vendor-projects.ts`.
   */
  {
    name: 'milestone',
    system: 'Milestone Auto Exporter, PSTools snapshots',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'mscp: auto-exporter; PowerShellSamples issue 155 (seen) for snapshots',
    notKnown: 'clip names: times in them are read as in any other name',
    shapes: [
      {
        parts: [/^\d{2}\.\d{2}\.\d{4}_\d{4}$/, /^(?<cam>.+)$/, /^[^/]+\.(?:mkv|avi|mp4)$/i],
        hasFreeFileName: true,
      },
      {
        parts: [/^(?<cam>.+)_(?<s>\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}\.\d{3})\.(?:jpg|jpeg|png)$/],
        clock: 'utc',
      },
    ],
    samples: [
      { path: 'Night job/28.05.2026_0300/Gate 4/export.avi', expect: { cameraName: 'Gate 4' } },
      {
        path: 'Kamera 4_2024-10-04_06-29-49.755.jpg',
        expect: { cameraName: 'Kamera 4', start: '2024-10-04T06:29:49.755' },
      },
    ],
    refuses: ['Night job/Gate 4/export.avi', 'Kamera 4_2024-13-04_06-29-49.755.jpg'],
  },
  /** Nx Witness and the same engine under other names. */
  {
    name: 'nx',
    system: 'Nx Witness, Wisenet WAVE, DW Spectrum',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'nx_open: export settings dialog and nx::vms::time',
    notKnown: 'end times; cameras inside `.nov` and the self-playing `.exe`, which is a program',
    shapes: [
      { parts: [oneCamera], read: readNx },
      { parts: [severalCameras], read: readNx },
    ],
    samples: [
      {
        path: 'Gate 4 North_2026_05_01_19_30_05.mkv',
        expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
      },
      {
        path: 'Gate 4 North_2026_05_01_7PM_30_05.mp4',
        expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
      },
      {
        path: 'Lobby_2026_05_01_12AM_05_09 (1).mp4',
        expect: { cameraName: 'Lobby', start: '2026-05-01T00:05:09' },
      },
      {
        path: 'Stand_B_2019_Dec_31_23_59_58.avi',
        expect: { cameraName: 'Stand_B', start: '2019-12-31T23:59:58' },
      },
      { path: 'All gates_2026_05_01_19_30_05.nov', expect: { start: '2026-05-01T19:30:05' } },
      { path: 'All gates_2026_05_01_7PM_30_05.nov', expect: { start: '2026-05-01T19:30:05' } },
    ],
    refuses: [
      'Gate_2026_02_30_19_30_05.mkv',
      'Gate_2026_05_01_13PM_30_05.mp4',
      'Gate_2026_Foo_01_19_30_05.mkv',
      'Gate_2026_05_01_7午後_30_05.mkv',
    ],
  },
  /** WinCC OA vimacc: a folder for each part of the date, the last part of the name is a number. */
  {
    name: 'vimacc',
    system: 'WinCC OA video (vimacc)',
    clock: 'utc',
    trust: 'vendor',
    label: 'documented',
    source: 'winccoa.com 3.18, video export',
    notKnown: 'end times; seconds',
    shapes: [
      {
        parts: [
          /^(?<cam>.+)$/,
          /^(?<y>\d{4})$/,
          /^(?<mo>\d{2})$/,
          /^(?<d>\d{2})$/,
          /^(?<h>\d{2})$/,
          /^(?<stem>.+)_(?<mi>\d{2})\.[^.]+\.\d{1,6}$/,
        ],
        read: ({ cam, stem, y = '', mo = '', d = '', h = '', mi = '' }) => {
          const start = readDigits(`${y}${mo}${d}${h}${mi}00`);
          if (start === undefined || (cam !== undefined && cam !== stem)) return undefined;
          return { ...(stem !== undefined && { cameraName: stem }), start };
        },
      },
    ],
    samples: [
      {
        path: 'North gate/2021/06/01/18/North gate_05.h264.1',
        expect: { cameraName: 'North gate', start: '2021-06-01T18:05:00' },
      },
    ],
    refuses: [
      'North gate/2021/06/01/18/South gate_05.h264.1',
      'North gate/2021/06/01/24/North gate_05.h264.1',
      'North gate_05.h264.1',
    ],
  },
];

function readNx({ cam, y, mo = '', d, h = '', half, mi, s }: Groups): NameFields | undefined {
  const month = /^\d/.test(mo) ? Number(mo) : monthOf(mo);
  const start = written([Number(y), month, Number(d), hourOf(h, half), Number(mi), Number(s)]);
  const cameraName = cam?.trim() ?? '';
  return start && { ...(cameraName !== '' && { cameraName }), start };
}

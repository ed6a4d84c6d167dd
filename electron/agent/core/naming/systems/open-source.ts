import { readDigits, readGroups, type Recogniser } from '../recogniser.ts';

/** Open-source recorders. */
export const openSource: readonly Recogniser[] = [
  /** Frigate: exports, named in the server's zone, and its store of recordings in UTC. */
  {
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
        parts: [
          /^(?<d>\d{4}-\d{2}-\d{2})$/,
          /^(?<h>\d{2})$/,
          /^(?<cam>[\w-]+)$/,
          /^(?<m>\d{2}\.\d{2})\.mp4$/,
        ],
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
  },
  /** MediaMTX: `%path/%Y-%m-%d_%H-%M-%S-%f`. */
  {
    name: 'mediamtx',
    system: 'MediaMTX',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'mediamtx: default of recordPath',
    notKnown: 'end times; folders above the last one in the path',
    shapes: [
      {
        parts: [/^(?<cam>.+)$/, /^(?<t>\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})-(?<f>\d{6})\.(?:mp4|ts)$/],
        read: ({ cam, t = '', f = '' }) => {
          const start = readDigits(t + f);
          return start && { ...(cam !== undefined && { cameraName: cam }), start };
        },
      },
    ],
    samples: [
      {
        path: 'gate4/2021-03-04_05-06-07-123456.mp4',
        expect: { cameraName: 'gate4', start: '2021-03-04T05:06:07.123' },
      },
    ],
    refuses: ['gate4/2021-03-04_05-06-07.mp4', 'gate4/2021-02-30_05-06-07-123456.mp4'],
  },
  /** Motion: `%v-%Y%m%d%H%M%S`; `%v` counts events. */
  {
    name: 'motion',
    system: 'Motion',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'motion: default of movie_filename',
    notKnown: 'end times; the camera, unless the folder names it',
    shapes: [{ parts: [/^\d{1,6}-(?<s>\d{14})\.(?:mp4|mkv|avi|mov|mpg|swf|flv)$/] }],
    samples: [{ path: '01-20190808095851.mp4', expect: { start: '2019-08-08T09:58:51' } }],
    refuses: ['01-20190832095851.mp4', 'Gate-20190808095851.mp4'],
  },
  /** motionEye: camera, day, time. */
  {
    name: 'motioneye',
    system: 'motionEye',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'motioneyeos issues 1035 and 2449',
    notKnown: 'end times',
    shapes: [
      {
        parts: [
          /^(?<cam>.+)$/,
          /^(?<d>\d{4}-\d{2}-\d{2})$/,
          /^(?<s>\d{2}-\d{2}-\d{2})\.(?:mp4|avi|mkv|mov)$/,
        ],
      },
    ],
    samples: [
      {
        path: 'Camera Yard/2020-05-06/07-08-09.mp4',
        expect: { cameraName: 'Camera Yard', start: '2020-05-06T07:08:09' },
      },
    ],
    refuses: ['07-08-09.mp4', 'Yard/2020-05-06/24-08-09.mp4', 'Yard/06-05-2020/07-08-09.mp4'],
  },
  /** Shinobi: the folder is the monitor. */
  {
    name: 'shinobi',
    system: 'Shinobi',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'docs.shinobi.video',
    notKnown: 'end times',
    shapes: [
      {
        parts: [/^(?<cam>[^/]*[^/\d][^/]*)$/, /^(?<s>\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})\.mp4$/],
        // Without its folder it is a plain ISO time
        read: (groups) => (groups['cam'] === undefined ? undefined : readGroups(groups)),
      },
    ],
    samples: [
      {
        path: 'YardCam/2021-03-04T05-06-07.mp4',
        expect: { cameraName: 'YardCam', start: '2021-03-04T05:06:07' },
      },
    ],
    refuses: ['2021-03-04T05-06-07.mp4', 'YardCam/2021-03-32T05-06-07.mp4'],
  },
  /** ZoneMinder: the number is an event. */
  {
    name: 'zoneminder',
    system: 'ZoneMinder',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'a public program that reads its folders',
    notKnown: 'times: the folder states only the day',
    shapes: [
      {
        parts: [
          /^(?:(?<monitor>\d{1,4})|(?<cam>.+))$/,
          /^\d{4}-\d{2}-\d{2}$/,
          /^(?<event>\d{1,12})$/,
          /^(?<file>\d{1,12})-video\.mp4$/,
        ],
        read: ({ monitor, cam, event, file }) => {
          if (event !== file) return undefined;
          if (monitor !== undefined) return { channel: monitor };
          return { ...(cam !== undefined && { cameraName: cam }) };
        },
      },
    ],
    samples: [
      { path: 'Yard/2021-01-02/347/347-video.mp4', expect: { cameraName: 'Yard' } },
      { path: '3/2021-01-02/347/347-video.mp4', expect: { channel: '3' } },
    ],
    refuses: ['Yard/2021-01-02/347/348-video.mp4', '347-video.mp4'],
  },
];

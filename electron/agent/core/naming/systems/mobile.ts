import {
  hourOf,
  monthOf,
  readDigits,
  written,
  type Groups,
  type NameFields,
  type Recogniser,
} from '../recogniser.ts';

/** Devices that are worn, driven or carried: body cameras, vehicles and phones. */
export const mobile: readonly Recogniser[] = [
  /** Android phones: `VID_` in the phone's zone; Pixel phones: `PXL_` in UTC with milliseconds. */
  {
    name: 'android',
    system: 'Android and Pixel phones',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'public programs that sort these names; "Name to Date" for Pixel',
    notKnown: 'the time zone of the phone; end times',
    isNoCamera: true,
    shapes: [
      { parts: [/^VID_(?<s>\d{8}_\d{6})(?:[~_]\d{1,3})?(?: ?\(\d{1,3}\))?\.mp4$/] },
      { parts: [/^PXL_(?<s>\d{8}_\d{9})(?:~\d{1,3})?(?:\.[A-Z]{2,8}){0,2}\.mp4$/], clock: 'utc' },
    ],
    samples: [
      { path: 'VID_20240813_051351.mp4', expect: { start: '2024-08-13T05:13:51' } },
      { path: 'PXL_20240813_051351918.mp4', expect: { start: '2024-08-13T05:13:51.918' } },
    ],
    refuses: ['VID_20241313_051351.mp4', 'PXL_20240813_051351.mp4', 'VID_20240813.mp4'],
  },
  /** Axon body cameras: the device and the minute. */
  {
    name: 'axon',
    system: 'Axon body cameras',
    clock: 'unsaid',
    trust: 'vendor',
    label: 'seen',
    source: 'a public listing',
    notKnown: 'which clock is used; seconds; end times',
    shapes: [
      {
        parts: [
          /^(?<cam>Axon (?:Body|Flex|Fleet)[^/]*?) Video (?<d>\d{4}-\d{2}-\d{2})-(?<t>\d{4})(?:[ _-]\d{1,3})?(?:\.mp4)?$/,
        ],
        read: ({ cam = '', d = '', t = '' }) => {
          const start = readDigits(`${d}${t}00`);
          return start && { cameraName: cam, start };
        },
      },
    ],
    samples: [
      {
        path: 'Axon Body 3 Video 2023-10-24-2046',
        expect: { cameraName: 'Axon Body 3', start: '2023-10-24T20:46:00' },
      },
      {
        path: 'Axon Body 3 Video 2023-10-24-2046.mp4',
        expect: { cameraName: 'Axon Body 3', start: '2023-10-24T20:46:00' },
      },
    ],
    refuses: ['Axon Body 3 Video 2023-10-24-2460.mp4', 'Axon Body 3 Video 2023-10-24.mp4'],
  },
  /** Havis mobile recorders: spaces in the name become `_`; `+` marks a continuation, `#` an event. */
  {
    name: 'havis',
    system: 'Havis mobile recorders',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'manual, page 25',
    notKnown: 'end times',
    shapes: [
      {
        parts: [
          /^(?:(?<cam>.+)_)??(?<mo>[A-Z][a-z]{2})\.(?<d>\d{2})\.(?<y>\d{4})_(?<h>\d{2})\.(?<mi>\d{2})\.(?<s>\d{2})[+#]?\.avi$/,
        ],
        read: readHavis,
      },
    ],
    samples: [
      {
        path: 'Jan.01.2006/Rear_door_Jan.01.2006_01.10.00+.avi',
        expect: { cameraName: 'Rear door', start: '2006-01-01T01:10:00' },
      },
      { path: 'Jan.01.2006/Jan.01.2006_13.10.00#.avi', expect: { start: '2006-01-01T13:10:00' } },
    ],
    refuses: ['Rear_door_Jan.32.2006_01.10.00.avi', 'Rear_door_Foo.01.2006_01.10.00.avi'],
  },
  /** icarvisions mobile recorders: the digit after `A` (alarm) or `N` is the channel. */
  {
    name: 'icarvisions',
    system: 'icarvisions mobile recorders',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'icarvisions.com, FAQ 285',
    notKnown: 'end times',
    shapes: [{ parts: [/^H(?<s>\d{8}-\d{6})[A-Z]\d[AN](?<ch>\d)(?:P\d)?\.avi$/] }],
    samples: [
      { path: 'H20190808-095851P1N2P0.avi', expect: { channel: '2', start: '2019-08-08T09:58:51' } },
      { path: 'H20190808-095851P1A4P0.avi', expect: { channel: '4', start: '2019-08-08T09:58:51' } },
    ],
    refuses: ['H20190808-096051P1N2P0.avi', 'H20190808-095851.avi'],
  },
  /** Tesla dashcams: the suffix is the car's camera. */
  {
    name: 'tesla',
    system: 'Tesla dashcam',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'a public program that reads its folders',
    notKnown: 'end times; the contents of `event.json`, which is kept as a report',
    shapes: [
      {
        parts: [
          /^(?<s>\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})-(?<cam>front|back|left_repeater|right_repeater|left_pillar|right_pillar)\.mp4$/,
        ],
      },
    ],
    samples: [
      {
        path: '2026-05-01_19-30-05/2026-05-01_19-29-04-left_repeater.mp4',
        expect: { cameraName: 'left_repeater', start: '2026-05-01T19:29:04' },
      },
    ],
    refuses: ['2026-05-01_24-29-04-front.mp4', '2026-05-01_19-29-04-roof.mp4'],
  },
  /**
   * WhatsApp: the time of the message, for a video that was recompressed. Neither the camera nor the time of the
   * recording.
   */
  {
    name: 'whatsapp',
    system: 'WhatsApp',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'public listings of downloads',
    notKnown:
      'the recording time: the name contains the time of the message, and the file is not an original',
    isNoCamera: true,
    shapes: [
      {
        parts: [
          /^WhatsApp Video (?<d>\d{4}-\d{2}-\d{2}) at (?<h>\d{1,2})\.(?<mi>\d{2})\.(?<s>\d{2})(?:[ \u202f](?<half>[AP]M))?(?: ?\(\d{1,3}\))?\.mp4$/,
        ],
        read: readMessage,
      },
    ],
    samples: [
      { path: 'WhatsApp Video 2025-07-01 at 21.11.05.mp4', expect: {} },
      { path: 'WhatsApp Video 2025-07-01 at 9.16.39 PM.mp4', expect: {} },
    ],
    refuses: ['WhatsApp Video 2025-13-01 at 21.11.05.mp4', 'WhatsApp Video 2025-07-01 at 21.16.39 PM.mp4'],
  },
];

function readHavis({ cam, mo = '', d, y, h, mi, s }: Groups): NameFields | undefined {
  const start = written([Number(y), monthOf(mo), Number(d), Number(h), Number(mi), Number(s)]);
  const cameraName = cam?.replaceAll('_', ' ').trim() ?? '';
  return start && { ...(cameraName !== '' && { cameraName }), start };
}

function readMessage({ d = '', h = '', half, mi, s }: Groups): NameFields | undefined {
  const [year, month, day] = d.split('-').map(Number);
  return written([year, month, day, hourOf(h, half), Number(mi), Number(s)]) && {};
}

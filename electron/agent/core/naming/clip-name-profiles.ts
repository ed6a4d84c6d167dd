import { wallTime, type WrittenTime } from '../times/zoned-time.ts';
import { readDigits, type ClipNameProfile } from './clip-name-profile.ts';
import { genericNameProfiles } from './generic-name-profiles.ts';

/**
 * All profiles in the order in which `auto` tries them: the most particular first, and a vendor's before the shapes that
 * any program could have made. Adding a vendor is adding one entry here, with its samples.
 */
export const clipNameProfiles: readonly ClipNameProfile[] = [
  {
    name: 'dahua',
    pattern:
      /^(?<rec>[A-Za-z0-9-]+)[_-]ch(?<ch>\d{1,4})[_-](?:main|sub|extra\d?)[_-](?<s>\d{14})[_-](?<e>\d{14})(?:[_-][^.]+)?\.(?:dav|mp4|avi|asf|mkv)$/i,
    zone: 'local',
    trust: 'vendor',
    readTime: readDigits,
    samples: [
      {
        name: 'NVR_ch1_main_20230619064223_20230619064228.dav',
        expect: { recorder: 'NVR', channel: '1', start: '2023-06-19T06:42:23', end: '2023-06-19T06:42:28' },
      },
      {
        name: 'XVR_ch12_main_20260604130000_20260604135959_camera2.mp4',
        expect: { recorder: 'XVR', channel: '12', start: '2026-06-04T13:00:00', end: '2026-06-04T13:59:59' },
      },
      {
        name: 'NPV-CH01-MAIN-20171215143022-20171215143522.DAV',
        expect: { recorder: 'NPV', channel: '1', start: '2017-12-15T14:30:22', end: '2017-12-15T14:35:22' },
      },
    ],
    mustNotMatch: ['NVR_ch1_main_20231319064223_20231319064228.dav', 'NVR_ch1_main_20230619064223.dav'],
  },
  {
    name: 'frigate',
    pattern: /^(?<cam>.+)_(?<s>\d{8}_\d{6})-(?<e>\d{8}_\d{6})_[a-z0-9]{4,8}(?: \(\d{1,3}\))?\.mp4$/,
    zone: 'local',
    trust: 'vendor',
    readTime: readDigits,
    samples: [
      {
        name: 'front_door_20260501_193005-20260501_193205_a1b2c3.mp4',
        expect: { cameraName: 'front_door', start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
      {
        name: 'Gate 4_20261025_013000-20261025_014000_k9x2pq.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-10-25T01:30:00', end: '2026-10-25T01:40:00' },
      },
    ],
    mustNotMatch: ['front_door_20260501_193005-20260501_193205.mp4', 'front_door_a1b2c3.mp4'],
  },
  {
    name: 'nx',
    pattern:
      /^(?<cam>.+)_(?<s>\d{4}_(?:\d{2}|[A-Za-z]{3})_\d{2}_\d{1,2}(?:AM|PM)?_\d{2}_\d{2})(?: \(\d{1,3}\))?\.(?:mkv|avi|mp4|nov|png|jpg)$/,
    zone: 'local',
    trust: 'vendor',
    readTime: readNxTime,
    samples: [
      {
        name: 'Gate 4 North_2026_05_01_19_30_05.mkv',
        expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
      },
      {
        name: 'Gate 4 North_2026_05_01_7PM_30_05.mp4',
        expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
      },
      {
        name: 'Lobby_2026_05_01_12AM_05_09 (1).mp4',
        expect: { cameraName: 'Lobby', start: '2026-05-01T00:05:09' },
      },
      {
        name: 'Stand_B_2019_Dec_31_23_59_58.avi',
        expect: { cameraName: 'Stand_B', start: '2019-12-31T23:59:58' },
      },
    ],
    mustNotMatch: [
      'Gate_2026_02_30_19_30_05.mkv',
      'Gate_2026_05_01_13PM_30_05.mp4',
      'Gate_2026_Foo_01_19_30_05.mkv',
    ],
  },
  ...genericNameProfiles,
];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function readNxTime(text: string): WrittenTime | undefined {
  const match = /^(\d{4})_(\w{2,3})_(\d{2})_(\d{1,2})(AM|PM)?_(\d{2})_(\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [, year, monthText = '', day, hourText, half, minute, second] = match;
  const monthName = MONTHS.indexOf(monthText.toLowerCase()) + 1;
  const month = /^\d\d$/.test(monthText) ? Number(monthText) : monthName;
  let hour = Number(hourText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half === 'PM' ? 12 : 0);
  }
  const wall = wallTime([Number(year), month, Number(day), hour, Number(minute), Number(second)]);
  return wall && { kind: 'wall', wall };
}

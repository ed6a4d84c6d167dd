import { type Recogniser } from '../recogniser.ts';

const recorderName =
  /^(?<rec>[A-Za-z0-9-]+)[_-]ch(?<ch>\d{1,4})[_-](?:main|sub|extra\d?)[_-](?<s>\d{14})[_-](?<e>\d{14})(?:[_-][^.]+)?\.(?:dav|mp4|avi|asf|mkv)$/i;
const cardName =
  /^(?<s>\d{2}\.\d{2}\.\d{2})-(?<e>\d{2}\.\d{2}\.\d{2})\[[A-Za-z]{1,3}\]\[\d{1,3}@\d{1,3}\]\[\d{1,9}\]\.(?:dav|mp4)$/;
const cardFolders = [/^(?<d>\d{4}-\d{2}-\d{2})$/, /^(?<ch>\d{3})$/, /^dav$/, /^\d{2}$/, cardName];

/** Recorders of Dahua and those sold as Lorex or Amcrest, and the memory cards of their cameras. */
export const dahua: Recogniser = {
  name: 'dahua',
  system: 'Dahua, Lorex, Amcrest',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'clip names in public code; card folders in three public repositories',
  notKnown: 'times inside `.dav` files',
  shapes: [{ parts: [recorderName] }, { parts: [/^(?<cam>[^/]+)$/, ...cardFolders] }, { parts: cardFolders }],
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
};

import type { Recogniser } from '../recogniser.ts';

/** Synology Surveillance Station: a folder for each half day below that of the camera. */
export const synology: Recogniser = {
  name: 'synology',
  system: 'Synology Surveillance Station',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'two public programs that read its folders',
  notKnown: 'file names: a time in one is read as in any other name',
  shapes: [
    {
      parts: [/^(?<cam>.+)$/, /^\d{8}[AP]M$/, /^[^/]+\.(?:mp4|avi|mkv)$/i],
      hasFreeFileName: true,
    },
  ],
  samples: [{ path: 'surveillance/Gate 4/20240106AM/clip.mp4', expect: { cameraName: 'Gate 4' } }],
  refuses: ['Gate 4/20240106/clip.mp4', '20240106AM/clip.txt'],
};

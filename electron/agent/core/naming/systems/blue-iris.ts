import type { Recogniser } from '../recogniser.ts';

/** Blue Iris: `&CAM.%Y%m%d_%H%M%S`, the camera's short name before the dot. */
export const blueIris: Recogniser = {
  name: 'blue-iris',
  system: 'Blue Iris',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'Blue Iris help, recording and clips',
  notKnown: 'ends; names made by another template of the user',
  shapes: [
    { parts: [/^(?<cam>[^.]+)\.(?<s>\d{8}_\d{6})(?:\.\d{1,6})?(?:\.[\w-]+)?\.(?:bvr|mp4|avi|wmv|jpg)$/] },
  ],
  samples: [
    { path: 'GateN.20260501_193005.bvr', expect: { cameraName: 'GateN', start: '2026-05-01T19:30:05' } },
    { path: 'Cam 2.20260501_193005.3.mp4', expect: { cameraName: 'Cam 2', start: '2026-05-01T19:30:05' } },
  ],
  refuses: ['GateN.20260532_193005.bvr', 'GateN_20260501_193005.bvr', '.20260501_193005.bvr'],
};

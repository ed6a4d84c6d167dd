import type { Recogniser } from '../recogniser.ts';

/** ABUS cameras: `prefix@time`. The form with `_` is read by `generic-start`, as it has no mark of its own. */
export const abus: Recogniser = {
  name: 'abus',
  system: 'ABUS cameras',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'camera manuals (documented for snapshots)',
  notKnown: 'ends',
  shapes: [{ parts: [/^(?<cam>[^@]+)@(?<s>\d{8}_\d{6})(?:\.\w{2,4})?$/] }],
  samples: [
    { path: 'Yard@20030102_030405.jpg', expect: { cameraName: 'Yard', start: '2003-01-02T03:04:05' } },
  ],
  refuses: ['Yard@20030132_030405.jpg', 'Yard_20030102.jpg'],
};

import type { Recogniser } from '../recogniser.ts';

/** Genetec snapshots: the date is written as the desk's language has it, so that day and month are never guessed. */
export const genetec: Recogniser = {
  name: 'genetec',
  system: 'Genetec Security Desk snapshots',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'Security Center user guide, taking snapshots',
  notKnown:
    'times: the order of day and month depends on the language; default names of clips; what the XML of a Mission Control package calls its times, cameras and notes (it is read for the files that it names)',
  shapes: [
    { parts: [/^(?<cam>.+) \([^()]*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}[^()]*\)\.(?:png|jpe?g|bmp|gif)$/i] },
  ],
  samples: [
    { path: 'Gate 4 (5-1-2026 7-30-05 PM).png', expect: { cameraName: 'Gate 4' } },
    { path: 'Gate 4 (01.05.2026 19-30-05).png', expect: { cameraName: 'Gate 4' } },
  ],
  refuses: ['Gate 4 (1).png', 'Gate 4 (5-1-2026 7-30-05 PM).mp4'],
};

import type { SampleExport } from './sample-types.ts';
import { dahua } from './samples/dahua.ts';
import { folderPerCamera } from './samples/folder-per-camera.ts';
import { frigate } from './samples/frigate.ts';
import { isoUtc } from './samples/iso-utc.ts';
import { milestone } from './samples/milestone.ts';
import { nxWitness } from './samples/nx-witness.ts';

/** Time zone of the recorders: file names from May are an hour ahead of UTC, those from January are not. */
export const RECORDER_ZONE = 'Europe/London';
/** Largest file that the simulated service accepts, MB: above the two large clips, below the one that must fail. */
export const MAX_UPLOAD_SIZE_MB = 300;

/** The export folders of the demo, with what the service must return for each in the end. */
export const samples: readonly SampleExport[] = [
  dahua,
  nxWitness,
  frigate,
  isoUtc,
  milestone,
  folderPerCamera,
];

/** The samples that can be made here: for the superuser and on Windows, no file can be made unreadable. */
export function samplesFor(canLockAway: boolean): readonly SampleExport[] {
  if (canLockAway) return samples;
  return samples.map((sample) => ({
    ...sample,
    clips: sample.clips.filter((clip) => clip.making.kind !== 'locked-away'),
  }));
}

import { startSimulator, type Simulator } from '../simulator/index.ts';
import { makeSamples, type MadeSamples } from './make-samples.ts';
import type { SampleExport } from './sample-types.ts';
import { MAX_UPLOAD_SIZE_MB, RECORDER_ZONE, samplesFor } from './samples.ts';
import { writeConfig, type Workspace } from './workspace.ts';

/** Short, so that nobody has to wait: exports of real recorders need the default of 30. */
const SETTLE_SECONDS = 2;

/** Everything that is there before the agent starts. */
export interface Stage {
  readonly workspace: Workspace;
  readonly simulator: Simulator;
  readonly samples: readonly SampleExport[];
  readonly made: MadeSamples;
}

/** Whether this account can make a file that it cannot read itself. */
export function canLockAway(): boolean {
  return process.getuid !== undefined && process.getuid() !== 0;
}

/** Writes the exports, starts the simulated service, writes configuration and key file. */
export async function setStage(workspace: Workspace): Promise<Stage> {
  const samples = samplesFor(canLockAway());
  const made = await makeSamples(workspace, samples);
  const simulator = await startSimulator({
    folder: workspace.storage,
    maxUploadSizeMb: MAX_UPLOAD_SIZE_MB,
  });
  const { baseUrl, apiKey } = simulator;
  await writeConfig(workspace, { baseUrl, apiKey, timeZone: RECORDER_ZONE, settleSeconds: SETTLE_SECONDS });
  return { workspace, simulator, samples, made };
}

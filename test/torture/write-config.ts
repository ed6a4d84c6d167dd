import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkPlace } from './agent-process.ts';
import { PART_BYTES } from './source-tree.ts';

export const CONCURRENT_FILES = 2;
export const CONCURRENT_PARTS = 2;

/** Writes the configuration of the agent that is tried, and its key. */
export function writeConfig(
  place: WorkPlace,
  baseUrl: string,
  key: string,
  {
    settleSeconds = 0.1,
    whileWriting = 'off',
  }: { settleSeconds?: number; whileWriting?: 'off' | 'auto' } = {},
): void {
  writeFileSync(join(place.folder, 'key.txt'), `${key}\n`, { mode: 0o600 });
  const config = {
    baseUrl,
    apiKeyFile: 'key.txt',
    watch: [{ path: place.watchDir, settleSeconds, timeZone: 'UTC' }],
    upload: {
      multipartThresholdBytes: PART_BYTES,
      partSizeBytes: PART_BYTES,
      whileWriting,
      concurrentFiles: CONCURRENT_FILES,
      concurrentParts: CONCURRENT_PARTS,
    },
  };
  writeFileSync(place.configFile, JSON.stringify(config, undefined, 2));
}

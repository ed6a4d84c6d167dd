import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Failure } from '../../../shared/domain/failure.ts';
import { nativeChecksums } from './native-checksums.ts';
import { nativeDigest } from './native-digest.ts';

/** Which module this system loads. */
interface Target {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Where the prebuilt modules lie; in a package outside of the archive, whose checksum does not cover them. */
  readonly folder: URL;
}

/**
 * What is wrong with the native module, to be asked before its first use loads it: that is when its code runs. Takes
 * some 2 ms of the loop. Errors: PROGRAM_CHANGED.
 */
export async function checkNativeModule({ platform, arch, folder }: Target): Promise<Failure | undefined> {
  const name = `${platform}-${arch}`;
  const wanted = nativeChecksums.get(name);
  if (wanted === undefined) return undefined;
  const file = fileURLToPath(new URL(`${name}.node`, folder));
  const bytes = await readFile(file).catch(() => undefined);
  return bytes !== undefined && nativeDigest(bytes) === wanted ? undefined : changed(file);
}

const changed = (file: string): Failure => ({
  code: 'PROGRAM_CHANGED',
  message: `A part of the program is missing or is not the one that it came with: ${file}.`,
  advice:
    'Install the app again. If it happens again, have the computer looked at: something changes its programs.',
  retryable: false,
});

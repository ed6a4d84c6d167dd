import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Failure, FailureCode } from '../../shared/domain/failure.ts';
import { formatBytes } from '../../shared/lib/bytes.ts';
import type { CheckLine } from './needs.ts';

/** Under this much free space the queue is in danger, bytes: it grows by about 1 KB a clip. */
const LEAST_FREE_BYTES = 100_000_000;

/** Looks whether the data directory can be used, or could be created. Nothing is created or locked by looking. */
export async function checkDataDir(dataDir: string): Promise<CheckLine> {
  try {
    return await look(dataDir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return failed('DATA_FOLDER', `The data directory ${dataDir} cannot be used (${code}).`);
  }
}

async function look(dataDir: string): Promise<CheckLine> {
  const place = await nearestExisting(dataDir);
  if (!(await stat(place)).isDirectory())
    return failed('DATA_FOLDER', `${place} is not a folder, so ${dataDir} cannot be one.`);
  await access(place, constants.W_OK | constants.X_OK);
  const { bavail, bsize } = await statfs(place);
  const free = `${formatBytes(bavail * bsize)} free`;
  if (bavail * bsize < LEAST_FREE_BYTES)
    return { ...failed('DISK_FULL', `${dataDir} is on a disk with only ${free}.`), state: 'warning' };
  const what = place === dataDir ? 'can be used' : 'does not exist yet; it will be created';
  return { name: 'data', state: 'ok', text: `${dataDir} ${what}, ${free}.` };
}

async function nearestExisting(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const parent = dirname(folder);
    if (!isMissing || parent === folder) throw error;
    return nearestExisting(parent);
  }
}

function failed(code: FailureCode, message: string): CheckLine {
  const advice = 'Choose a folder on a local disk that this account may write, with --data-dir DIR.';
  const failure: Failure = { code, message, advice, retryable: false };
  return { name: 'data', state: 'failed', text: message, failure };
}

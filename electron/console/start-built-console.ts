import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Failure } from '../../shared/domain/failure.ts';
import { err, type Result } from '../../shared/lib/result.ts';
import { startConsole, type Console, type ConsoleOptions } from './start-console.ts';

/** Where the built pages lie, seen from the source and from the bundle. */
const places = ['../../dist/renderer', '../renderer'];

/** `startConsole` with the pages that were built with this program. Errors: also PAGES_MISSING. */
export async function startBuiltConsole(
  options: Omit<ConsoleOptions, 'assetsDir'>,
): Promise<Result<Console, Failure>> {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const assetsDir = folders.find((folder) => existsSync(join(folder, 'index.html')));
  return assetsDir === undefined ? err(pagesMissing) : startConsole({ ...options, assetsDir });
}

const pagesMissing: Failure = {
  code: 'PAGES_MISSING',
  message: 'The pages of the console are not built; the agent runs without it.',
  advice: 'In a checkout: npm run build. Then start again.',
  retryable: false,
};

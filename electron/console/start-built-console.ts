import type { Failure } from '../../shared/domain/failure.ts';
import { err, type Result } from '../../shared/lib/result.ts';
import { findBuiltPages } from '../pages/find-built-pages.ts';
import { startConsole, type Console, type ConsoleOptions } from './start-console.ts';

/** `startConsole` with the pages that were built with this program. Errors: also PAGES_MISSING. */
export async function startBuiltConsole(
  options: Omit<ConsoleOptions, 'assetsDir'>,
): Promise<Result<Console, Failure>> {
  const assetsDir = findBuiltPages();
  return assetsDir === undefined ? err(pagesMissing) : startConsole({ ...options, assetsDir });
}

const pagesMissing: Failure = {
  code: 'PAGES_MISSING',
  message: 'The pages of the console are not built; the agent runs without it.',
  advice: 'In a checkout: npm run build. Then start again.',
  retryable: false,
};

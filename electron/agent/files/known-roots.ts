import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

const PUSHED_FILE = 'pushed-roots.json';
/** Folders that are remembered; a person pushes from few. */
const MOST_PUSHED = 1_000;
const pushedSchema = z.array(z.string());

/** The folders that files may be sent from: what a row of the queue names is held against them. */
export interface KnownRoots {
  /** Why nothing below this folder is opened; undefined: it may be. */
  refusal(rootPath: string): Failure | undefined;
  /** A person sends a folder out of this one: remembered, so that the next start goes on with it. */
  add(rootPath: string): void;
}

/**
 * Those of the settings, and the one that the program itself makes thumbnails in. Folders out of which somebody pushed are kept in a
 * file of their own: a row of the queue alone cannot add one.
 */
export function createKnownRoots(
  { dataDir, settings }: Pick<AgentConfig, 'dataDir' | 'settings'>,
  ownFolder: string,
): KnownRoots {
  const configured = [...settings.watch.map(({ path }) => path), ownFolder];
  const file = join(dataDir, PUSHED_FILE);
  const pushed = readPushed(file);
  return {
    refusal(rootPath) {
      return configured.includes(rootPath) || pushed.has(rootPath) ? undefined : notKnown(rootPath);
    },
    add(rootPath) {
      if (configured.includes(rootPath) || pushed.has(rootPath)) return;
      pushed.add(rootPath);
      writeFileSync(file, JSON.stringify([...pushed].slice(-MOST_PUSHED)), { mode: 0o600 });
    },
  };
}

function readPushed(file: string): Set<string> {
  try {
    return new Set(pushedSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
  } catch {
    // Missing or damaged: what was pushed is pushed again
    return new Set();
  }
}

const notKnown = (rootPath: string): Failure => ({
  code: 'ROOT_FORBIDDEN',
  message: `${visibleName(rootPath)} is not a watched folder, so nothing in it is opened or sent.`,
  advice:
    'Add it to the watched folders or push the export again, and retry the clip. If nobody removed it, someone changed the queue database.',
  retryable: false,
});

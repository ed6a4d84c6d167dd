#!/usr/bin/env -S node --use-system-ca --max-semi-space-size=2
import packageFacts from '../package.json' with { type: 'json' };
import { checkConnection, connectTeam, createAgent } from './agent/index.ts';
import { forbidCoreDumps } from './agent/forbid-core-dumps.ts';
import { harden } from './agent/harden.ts';
import { retryClips } from './agent/queue/retry-clips.ts';
import { readStatus } from './agent/calls/read-status.ts';
import { enlargeThreadPool } from './agent/files/root-gate.ts';
import { checkDataDir } from './cli/check-data-dir.ts';
import { checkFolders } from './cli/check-folders.ts';
import { createProcessHost, runToEnd } from './cli/process-host.ts';
import { runCli } from './cli/run-cli.ts';
import { startBuiltConsole } from './console/start-built-console.ts';

/** Most roots that the settings take: the pool has to be made before they are read. A waiting thread costs nothing. */
const MOST_ROOTS = 64;

/** The headless program: the agent under plain Node, steered by the command line. */
export async function main(args: readonly string[]): Promise<void> {
  enlargeThreadPool(process.env, MOST_ROOTS);
  harden();
  void forbidCoreDumps(process);
  const host = createProcessHost({ createAgent, version: packageFacts.version });
  const needs = {
    startConsole: startBuiltConsole,
    readStatus,
    retryClips,
    checkConnection,
    checkFolders,
    checkDataDir,
    connectTeam,
  };
  await runToEnd(() => runCli(args, host, needs), host);
}

if (import.meta.main) await main(process.argv.slice(2));

#!/usr/bin/env -S node --use-system-ca --max-semi-space-size=2
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import packageFacts from '../package.json' with { type: 'json' };
import { REMOVED, removeSecrets } from './agent/core/text/redact.ts';
import { redactValue } from './agent/core/text/redact.ts';
import {
  checkConnection,
  connectTeam,
  createAgent,
  createKeyFileSecrets,
  createLogger,
  createSecretRegister,
  createSystemClock,
  enlargeThreadPool,
  forbidCoreDumps,
  harden,
  proxySecrets,
  proxyVariables,
  readPolicy,
  readStatus,
  registerSecrets,
  retryClips,
  answerStoredRoot,
} from './agent/index.ts';
import type { AskPerson, Deps, PortOptions } from './cli/deps.ts';
import { exitCodes } from './cli/exit-codes.ts';
import { createOutput } from './cli/output.ts';
import { runCli } from './cli/run-cli.ts';
import { listenForStop } from './cli/stop-signals.ts';
import { startBuiltConsole } from './console/start-console.ts';

/** Most roots that the settings take: the pool is made before they are read. A waiting thread costs nothing. */
const MOST_ROOTS = 64;
/** How long a finished program may take to write its last output, milliseconds; then it ends whatever still hangs. */
const LEAVE_AFTER_MS = 1000;
/** Interval of the timer that keeps a waiting program alive, milliseconds: any, as long as it costs nothing. */
const HOLD_MS = 3_600_000;

/** The headless program: the agent under plain Node, controlled from the command line. */
export async function main(args: readonly string[]): Promise<void> {
  enlargeThreadPool(process.env, MOST_ROOTS);
  harden();
  void forbidCoreDumps(process);
  const deps = createProcessDeps();
  await runToEnd(() => runCli(args, deps), deps);
}

/** The process and the agent as the command line uses them: real streams, signals, clock and key file. */
export function createProcessDeps(): Deps & { reportFault(error: unknown): void } {
  const register = createSecretRegister();
  for (const secret of proxySecrets(proxyVariables(process.env))) register.add(secret);
  const redaction = () => ({ secrets: register.forms(), homeDir: homedir() });
  const clock = createSystemClock();
  const output = createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    clean: (text) => removeSecrets(text, register.forms()),
    removeKeys: (text) => register.forms().reduce((clean, form) => clean.replaceAll(form, REMOVED), text),
  });
  // A reader that went away (`| head`) ends the output, not the uploads
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const reportFault = (error: unknown): void => {
    const fault = redactValue(error, redaction());
    output.progress(undefined);
    output.note(`Fault in the program: ${JSON.stringify(fault)} Please report it with this line.`);
  };
  process.once('uncaughtException', (error) => {
    reportFault(error);
    process.exit(exitCodes.fault);
  });
  const hasPerson = process.stdin.isTTY && process.stderr.isTTY;
  const { platform, env: environment } = process;
  return {
    version: packageFacts.version,
    places: { platform, environment, homeDir: homedir(), workingDir: process.cwd() },
    clock,
    output,
    reportFault,
    askPerson: hasPerson ? createAskPerson(process.stdin, output.question) : undefined,
    onInputLine(listener, signal) {
      const lines = createInterface({ input: process.stdin, terminal: false });
      lines.on('line', listener);
      signal.addEventListener('abort', () => lines.close(), { once: true });
    },
    listenForStop: () => listenForStop(process, (code) => process.exit(code)),
    createPorts: (options) => ({
      clock,
      logger: createLogger({
        level: options.logLevel,
        format: options.logFormat,
        write: output.note,
        clock,
        rules: redaction,
      }),
      secrets: registerSecrets(keyFileSecrets(options), register),
    }),
    readPolicy,
    createAgent,
    connectTeam,
    checkConnection,
    readStatus,
    retryClips,
    answerStoredRoot,
    startConsole: startBuiltConsole,
  };
}

/** Asks on one stream and reads the answer, one line, from another. */
export function createAskPerson(input: Readable, write: (text: string) => void): AskPerson {
  return (question, signal) =>
    new Promise((resolve) => {
      write(question);
      // Not as a terminal: readline would take Ctrl+C for itself, and the line can be edited without it
      const lines = createInterface({ input, terminal: false, signal });
      let answer: string | undefined;
      lines.once('line', (line) => {
        answer = line;
        lines.close();
      });
      lines.once('close', () => {
        // Where nobody ended the line, what follows would stand behind the question
        if (answer === undefined) write('\n');
        resolve(answer);
      });
    });
}

function keyFileSecrets({ apiKeyPath }: PortOptions) {
  const credentialsDirectory = process.env['CREDENTIALS_DIRECTORY'];
  const userId = process.getuid?.();
  return createKeyFileSecrets({
    ...(apiKeyPath !== undefined && { apiKeyPath }),
    ...(credentialsDirectory !== undefined && { credentialsDirectory }),
    ...(userId !== undefined && { userId }),
  });
}

/** Runs a command to its end. The exit code is set, not forced: what was written may still be on its way. */
export async function runToEnd(
  run: () => Promise<number>,
  { reportFault }: { reportFault(error: unknown): void },
): Promise<void> {
  // Node ends a program that only waits, with a code of its own; listening for signals does not count
  const hold = setInterval(() => undefined, HOLD_MS);
  try {
    process.exitCode = await run();
  } catch (error) {
    process.exitCode = exitCodes.fault;
    reportFault(error);
  } finally {
    clearInterval(hold);
  }
  setTimeout(() => process.exit(), LEAVE_AFTER_MS).unref();
}

if (import.meta.main) await main(process.argv.slice(2));

import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import packageFacts from '../package.json' with { type: 'json' };
import { REMOVED, removeSecrets, redactValue } from './agent/core/text/redact.ts';
import { forbidCoreDumps, harden } from './agent/harden.ts';
import { proxySecrets, proxyVariables } from './agent/core/settings/choose-proxy.ts';
import { enlargeThreadPool } from './agent/files/own-threads.ts';
import { createSystemLog } from './agent/evidence/system-log.ts';
import { createLogger } from './agent/log/create-logger.ts';
import { createSecretRegister, registerSecrets } from './agent/log/secret-register.ts';
import { createKeyFileSecrets } from './agent/settings/key-file.ts';
import { createSystemClock, settleTimeZone } from './agent/system-clock.ts';
import { UsageError } from './cli/command.ts';
import type { Prompt, Deps, PortOptions } from './cli/deps.ts';
import { exitCodes, listenForStop } from './cli/exit-codes.ts';
import { createOutput } from './cli/output.ts';
import { runCli } from './cli/run-cli.ts';

/**
 * Most roots that settings can have: the thread pool is created before they are read. A waiting thread costs nothing.
 */
const MOST_ROOTS = 64;
/**
 * How long a finished program may take to write its last output, milliseconds; then it exits even if something hangs.
 */
const LEAVE_AFTER_MS = 1000;
/** Interval of the timer that keeps a waiting program alive, milliseconds: any long interval will do. */
const HOLD_MS = 3_600_000;

/** Runs the command given by the arguments until it ends. */
export async function runProgram(args: readonly string[]): Promise<void> {
  enlargeThreadPool(process.env, MOST_ROOTS);
  harden();
  void forbidCoreDumps(process);
  const ignored = settleTimeZone(process.env);
  const deps = createProcessDeps();
  if (ignored !== undefined) deps.output.note(ignored);
  await runToEnd(() => runCli(args, deps), deps);
}

/** The process and the agent as used by the command line: real streams, signals, clock and key file. */
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
  // A reader that closes early (`| head`) ends the output, not the uploads
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const reportFault = (error: unknown): void => {
    const fault = redactValue(error, redaction());
    output.progress(undefined);
    output.note(`Internal error: ${JSON.stringify(fault)} Please report this line.`);
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
    prompt: hasPerson ? createPrompt(process.stdin, output.question) : undefined,
    readInput: () => readInput(process.stdin),
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
      systemLog: createSystemLog({ platform, userId: process.getuid?.() }),
    }),
    // Each command loads only what it needs: listing data of the service does not need the queue's database
    readPolicy: async (dataDir) => {
      const desk = {
        dataDir,
        version: packageFacts.version,
        clock,
        proxyVariables: proxyVariables(environment),
      };
      return (await import('./agent/follow-policy.ts')).readDeskPolicy(desk);
    },
    createAgent: async (...by) => (await import('./agent/create-agent.ts')).createAgent(...by),
    connectTeam: async (...by) => (await import('./agent/service/connect-service.ts')).connectTeam(...by),
    checkConnection: async (...by) =>
      (await import('./agent/service/check-connection.ts')).checkConnection(...by),
    refuseDataDir: async (...by) => (await import('./agent/store/guard-data-dir.ts')).refusalOf(...by),
    readStatus: async (...by) => (await import('./agent/calls/read-status.ts')).readStatus(...by),
    readSummary: async (...by) => (await import('./agent/calls/read-status.ts')).readSummary(...by),
    leaveOutClips: async (...by) => (await import('./agent/queue/retry-clips.ts')).leaveOutClips(...by),
    retryClips: async (...by) => (await import('./agent/queue/retry-clips.ts')).retryClips(...by),
    explainForDesk: async (...by) => (await import('./agent/intake/explain-folder.ts')).explainForDesk(...by),
    answerStoredRoot: async (...by) => (await import('./agent/intake/check-root.ts')).answerStoredRoot(...by),
    proof: {
      note: async (...by) => (await loadProof()).note(...by),
      makePacks: async (...by) => (await loadProof()).makePacks(...by),
      verifyPack: async (...by) => (await loadProof()).verifyPack(...by),
      checkChain: async (...by) => (await loadProof()).checkChain(...by),
      renewKey: async (...by) => (await loadProof()).renewKey(...by),
      verifyIncident: async (...by) => (await loadProof()).verifyIncident(...by),
    },
    startConsole: async (options) => (await import('./console/start-console.ts')).startBuiltConsole(options),
  };
}

/** Longest text read from stdin, bytes: a message has a few thousand characters. */
const LONGEST_INPUT_BYTES = 1024 * 1024;

/** Reads a whole stream as text. Rejects with `UsageError` if it is too long. */
export async function readInput(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > LONGEST_INPUT_BYTES) throw new UsageError('The text on standard input is longer than 1 MiB.');
    chunks.push(bytes);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
const loadProof = async () => (await import('./agent/calls/stored-proof.ts')).storedProof;

/** Creates a function that asks on one stream and reads the answer, one line, from another. */
export function createPrompt(input: Readable, write: (text: string) => void): Prompt {
  return (question, signal) =>
    new Promise((resolve) => {
      write(question);
      // Not as a terminal: readline would handle Ctrl+C itself, and the line can be edited without it
      const lines = createInterface({ input, terminal: false, signal });
      let answer: string | undefined;
      lines.once('line', (line) => {
        answer = line;
        lines.close();
      });
      lines.once('close', () => {
        // If nobody pressed Enter, the next output would follow the question on the same line
        if (answer === undefined) write('\n');
        resolve(answer);
      });
    });
}

function keyFileSecrets({ apiKeyPath, dataDir }: PortOptions) {
  const credentialsDirectory = process.env['CREDENTIALS_DIRECTORY'];
  const userId = process.getuid?.();
  return createKeyFileSecrets({
    ...(dataDir !== undefined && { originFile: join(dataDir, 'key-origins.json') }),
    ...(apiKeyPath !== undefined && { apiKeyPath }),
    ...(credentialsDirectory !== undefined && { credentialsDirectory }),
    ...(userId !== undefined && { userId }),
  });
}

/** Runs a command until it ends. The exit code is set, not forced: output may still be in transit. */
export async function runToEnd(
  run: () => Promise<number>,
  { reportFault }: { reportFault(error: unknown): void },
): Promise<void> {
  // Node exits with its own code if a program only waits; listening for signals does not keep it alive
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

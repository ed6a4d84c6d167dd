import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import { createKeyFileSecrets } from '../agent/settings/key-file.ts';
import { readPolicy } from '../agent/settings/policy/read-policy.ts';
import { proxySecrets, proxyVariables } from '../agent/core/settings/choose-proxy.ts';
import { REMOVED, removeSecrets, redactValue } from '../agent/core/text/redact.ts';
import { createLogger } from '../agent/log/create-logger.ts';
import { createSecretRegister, registerSecrets } from '../agent/log/secret-register.ts';
import { createSystemClock } from '../agent/system-clock.ts';
import { createAskPerson } from './ask-person.ts';
import { exitCodes } from './exit-codes.ts';
import type { Host, PortOptions } from './host.ts';
import { createOutput } from './output.ts';
import { listenForStop } from './stop-signals.ts';

/** How long a finished program may take to write its last output, milliseconds; then it ends whatever still hangs. */
const LEAVE_AFTER_MS = 1000;

/** Interval of the timer that keeps a waiting program alive, milliseconds: any, as long as it costs nothing. */
const HOLD_MS = 3_600_000;

/** A host that can also say that the program itself is wrong. */
export interface ProcessHost extends Host {
  reportFault(error: unknown): void;
}

/** The host of a command that runs in its own process: real streams, signals, clock and key file. */
export function createProcessHost({
  createAgent,
  version,
}: Pick<Host, 'createAgent' | 'version'>): ProcessHost {
  const register = createSecretRegister();
  for (const secret of proxySecrets(proxyVariables(process.env))) register.add(secret);
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
    const fault = redactValue(error, { secrets: register.forms(), homeDir: homedir() });
    output.progress(undefined);
    output.note(`Fault in the program: ${JSON.stringify(fault)} Please report it with this line.`);
  };
  process.once('uncaughtException', (error) => {
    reportFault(error);
    process.exit(exitCodes.fault);
  });
  return {
    output,
    reportFault,
    clock,
    version,
    createAgent,
    places: {
      platform: process.platform,
      environment: process.env,
      homeDir: homedir(),
      workingDir: process.cwd(),
    },
    readPolicy,
    createPorts: (options) => ({
      clock,
      logger: createLogger({
        level: options.logLevel,
        format: options.logFormat,
        write: output.note,
        clock,
        rules: () => ({ secrets: register.forms(), homeDir: homedir() }),
      }),
      secrets: registerSecrets(keyFile(options), register),
    }),
    askPerson: hasPerson() ? createAskPerson(process.stdin, output.question) : undefined,
    onInputLine(listener, signal) {
      const lines = createInterface({ input: process.stdin, terminal: false });
      lines.on('line', listener);
      signal.addEventListener('abort', () => lines.close(), { once: true });
    },
    listenForStop: () => listenForStop(process, (code) => process.exit(code)),
  };
}

const hasPerson = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

function keyFile({ apiKeyPath }: PortOptions) {
  const credentialsDirectory = process.env['CREDENTIALS_DIRECTORY'];
  const userId = process.getuid?.();
  return createKeyFileSecrets({
    ...(apiKeyPath !== undefined && { apiKeyPath }),
    ...(credentialsDirectory !== undefined && { credentialsDirectory }),
    ...(userId !== undefined && { userId }),
  });
}

/** Runs a command to its end. The exit code is set, not forced: what was written may still be on its way. */
export async function runToEnd(run: () => Promise<number>, host: ProcessHost): Promise<void> {
  // Node ends a program that only waits, with a code of its own; listening for signals does not count
  const hold = setInterval(() => undefined, HOLD_MS);
  try {
    process.exitCode = await run();
  } catch (error) {
    process.exitCode = exitCodes.fault;
    host.reportFault(error);
  } finally {
    clearInterval(hold);
  }
  setTimeout(() => process.exit(), LEAVE_AFTER_MS).unref();
}

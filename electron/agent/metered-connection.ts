import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { win32 } from 'node:path';
import type { Clock, Logger } from './ports.ts';

/** The bus answers in milliseconds, PowerShell in a second or two on an old PC; then it is ended, milliseconds. */
const ANSWER_MS = 10_000;
/** Starting PowerShell takes a third of a second of CPU: so seldom it is nothing, milliseconds. */
const POWERSHELL_EVERY_MS = 5 * 60_000;
const BUS_EVERY_MS = 60_000;

/** A program of the system that tells whether the connection in use is metered. */
export interface MeteredQuestion {
  readonly program: string;
  readonly args: readonly string[];
  /** What the program printed, read; undefined: the system does not know. */
  readonly read: (printed: string) => boolean | undefined;
  /** Milliseconds between two questions while the network stays as it is. */
  readonly everyMs: number;
}

/**
 * Whom to ask; undefined: the system does not tell. NetworkManager speaks of the connection that has the default route:
 * 1 is yes and 3 its guess, as behind a phone; 2 and 4 are no, 0 is unknown. macOS tells only programs that watch a path
 * through Network.framework, which neither Node nor Electron does.
 */
export function meteredQuestion(
  platform: NodeJS.Platform,
  environment: Readonly<NodeJS.ProcessEnv>,
): MeteredQuestion | undefined {
  if (platform === 'linux') {
    const name = 'org.freedesktop.NetworkManager';
    return {
      program: '/usr/bin/busctl',
      args: ['--system', 'get-property', name, '/org/freedesktop/NetworkManager', name, 'Metered'],
      read: (printed) => answerOf(/^u ([1-4])\s*$/.exec(printed)?.[1], ['1', '3']),
      everyMs: BUS_EVERY_MS,
    };
  }
  if (platform !== 'win32') return undefined;
  const root = environment['SystemRoot'];
  return {
    program: win32.join(
      root !== undefined && win32.isAbsolute(root) ? root : 'C:\\Windows',
      'System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    ),
    args: ['-NoProfile', '-NonInteractive', '-Command', COST_TYPE],
    read: (printed) =>
      answerOf(/^(Unrestricted|Fixed|Variable)\s*$/.exec(printed)?.[1], ['Fixed', 'Variable']),
    everyMs: POWERSHELL_EVERY_MS,
  };
}

/** Prints the type of cost of the connection to the internet; fails where there is none. */
const COST_TYPE =
  "$ErrorActionPreference='Stop'; [string][Windows.Networking.Connectivity.NetworkInformation,Windows.Networking.Connectivity,ContentType=WindowsRuntime]::GetInternetConnectionProfile().GetConnectionCost().NetworkCostType";

const answerOf = (word: string | undefined, yes: readonly string[]): boolean | undefined =>
  word === undefined ? undefined : yes.includes(word);

/** Whether the connection of this PC is metered, as last heard. */
export interface MeteredConnection {
  isMetered(): boolean;
  /** Asks the system again once it is time or when the network changed. Answers at once, never throws. */
  look(): void;
}

interface Deps {
  readonly question: MeteredQuestion | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly stopping: AbortSignal;
  /** Called when an answer differs from the one before. */
  readonly onChange: () => void;
  /** How the network looks now; any text that differs when it changed. */
  readonly network?: () => string;
}

const networkNow = (): string =>
  JSON.stringify(
    Object.entries(networkInterfaces()).map(([name, addresses]) => [
      name,
      addresses?.filter(({ internal }) => !internal).map(({ address }) => address),
    ]),
  );

/** What is not known counts as not metered, and is said once in the log. One question at a time, cut off in time. */
export function createMeteredConnection(deps: Deps): MeteredConnection {
  const { question, clock, logger, stopping, onChange, network = networkNow } = deps;
  let isMetered = false;
  let isAsking = false;
  let asked: { readonly atMs: number; readonly network: string } | undefined;
  let isUnknownSaid = false;

  function hear(answer: boolean | undefined): void {
    if (answer === undefined && !isUnknownSaid) {
      isUnknownSaid = true;
      logger.warn(
        'The system does not tell whether the connection is metered; upload.onMetered has no effect',
      );
    }
    const before = isMetered;
    isMetered = answer ?? false;
    if (isMetered !== before) onChange();
  }

  return {
    isMetered: () => isMetered,
    look() {
      if (isAsking || stopping.aborted) return;
      const now = { atMs: clock.monotonic(), network: network() };
      if (question === undefined) {
        if (asked === undefined) hear(undefined);
        asked = now;
        return;
      }
      const isTime = asked === undefined || now.atMs - asked.atMs >= question.everyMs;
      if (!isTime && asked?.network === now.network) return;
      asked = now;
      isAsking = true;
      const options = {
        timeout: ANSWER_MS,
        killSignal: 'SIGKILL',
        signal: stopping,
        windowsHide: true,
      } as const;
      execFile(question.program, [...question.args], options, (error, printed) => {
        isAsking = false;
        if (!stopping.aborted) hear(error === null ? question.read(printed) : undefined);
      });
    },
  };
}

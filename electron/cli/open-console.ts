import type { Failure } from '../../shared/domain/failure.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { Agent, Clock, Logger } from '../agent/index.ts';
import { jsonText } from './json-text.ts';
import type { Host } from './deps.ts';
import { failureText } from './report-failure.ts';

/** Where the console listens when nobody chose a port; another free one when this one is taken. */
const USUAL_PORT = 47_800;
const ANY_PORT = 0;

/** A console that listens. */
export interface OpenConsole {
  readonly origin: string;
  /** A new address that opens it once, within a minute. */
  createLaunchUrl(): string;
  stop(): Promise<void>;
}

/** Starts the console over an agent. Errors: PORT_IN_USE, PAGES_MISSING. */
export type StartConsole = (options: {
  readonly port: number;
  readonly agent: Pick<Agent, 'call' | 'signals'>;
  readonly clock: Clock;
  readonly logger: Logger;
}) => Promise<Result<OpenConsole, Failure>>;

interface Wish {
  readonly port: number | undefined;
  readonly json: boolean;
}

/**
 * Opens the console beside a running agent and tells its address; at a terminal Enter makes a new one. Without it the
 * agent works all the same, so trouble is told and no reason to stop. Answers what ends it.
 */
export async function openConsole(
  startConsole: StartConsole,
  agent: Agent,
  host: Host,
  logger: Logger,
  { port, json }: Wish,
): Promise<() => Promise<void>> {
  const { output, clock } = host;
  const start = (on: number) => startConsole({ port: on, agent, clock, logger });
  let opened = await start(port ?? USUAL_PORT);
  if (!opened.ok && opened.error.code === 'PORT_IN_USE' && port === undefined) opened = await start(ANY_PORT);
  if (!opened.ok) {
    output.note(failureText(opened.error));
    return async () => undefined;
  }
  const console = opened.value;
  const tell = (): void => {
    const url = console.createLaunchUrl();
    output.line(json ? jsonText({ event: 'console', at: isoNow(clock), url }) : `Console: ${url}`);
  };
  const isRead = json || host.askPerson !== undefined;
  if (isRead) tell();
  // Where lines end up in a journal, the address has no place
  else output.line(`Console: ${console.origin}. The address that opens it is told at a terminal only.`);
  const ended = new AbortController();
  if (host.askPerson !== undefined && !json)
    output.note('The address opens the console once, within a minute. Press Enter for a new one.');
  // A program that reads this one asks by a word; a person only presses Enter
  host.onInputLine((line) => {
    if (!json || line.trim() === 'console') tell();
  }, ended.signal);
  return async () => {
    ended.abort();
    await console.stop();
  };
}

const isoNow = (clock: Clock): string => new Date(clock.now()).toISOString();

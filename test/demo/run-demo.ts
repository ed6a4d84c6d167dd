import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describeStage, inviteOwn } from './narrate.ts';
import { startPlay, type Play } from './play.ts';
import { printEnd, printVerdict } from './print-table.ts';
import type { Screen } from './screen.ts';
import { setStage, type Stage } from './stage.ts';
import { untilSettled } from './until-settled.ts';
import { createBuilder } from 'vite';
import { verify } from './verify.ts';
import { makeWorkspace } from './workspace.ts';

export interface DemoOptions {
  /** Ends when everything is settled, instead of continuing. */
  readonly once: boolean;
  /** Keeps exports, storage and the agent's data. */
  readonly keep: boolean;
  readonly screen: Screen;
  /** Aborted when someone asks to stop. */
  readonly stop: AbortSignal;
}

/** Longest time for the samples, milliseconds: an agent that hangs must not hang a build. */
const AGENT_LIMIT_MS = 120_000;
const EXIT = { ok: 0, differs: 1, interrupted: 130 } as const;

/** Runs the whole demo and returns the exit code. Whatever happens, everything is stopped and removed. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { screen, keep, stop } = options;
  const startedAt = performance.now();
  const workspace = await makeWorkspace();
  let stage: Stage | undefined;
  try {
    screen.line(screen.paint('bold', 'VMS Export Agent: sample exports of several vendors, on this machine'));
    if (!options.once) {
      screen.line('Building the pages ...');
      await buildPages();
    }
    screen.line('Making the exports ...');
    stage = await setStage(workspace);
    if (stop.aborted) return EXIT.interrupted;
    describeStage(screen, stage);
    return await perform(stage, options, startedAt);
  } finally {
    await stage?.simulator.stop();
    if (keep) screen.line(`Kept: ${workspace.folder}`);
    else await workspace.remove();
  }
}

async function perform(stage: Stage, options: DemoOptions, startedAt: number): Promise<number> {
  const consolePort = options.once ? undefined : await findFreePort();
  const play = await startPlay(stage, options.screen, options.once, consolePort);
  try {
    return await (options.once
      ? playOnce(stage, play, options, startedAt)
      : playOn(stage, play, options, startedAt));
  } finally {
    if (options.stop.aborted) options.screen.line('Stopping ...');
    await play.stop();
  }
}

async function playOnce(
  stage: Stage,
  play: Play,
  { screen, stop }: DemoOptions,
  startedAt: number,
): Promise<number> {
  const exit = await inTime(play.agent.ended, stop);
  if (stop.aborted) return EXIT.interrupted;
  const isRight = await judge(
    stage,
    play,
    screen,
    startedAt,
    exit ?? `none within ${AGENT_LIMIT_MS / 1000} s`,
  );
  return isRight ? EXIT.ok : EXIT.differs;
}

async function playOn(
  stage: Stage,
  play: Play,
  { screen, stop }: DemoOptions,
  startedAt: number,
): Promise<number> {
  const ended = play.agent.ended;
  const exit = await inTime(Promise.race([untilSettled(stage.samples, play.book), ended]), stop);
  if (stop.aborted) return EXIT.ok;
  await judge(stage, play, screen, startedAt, exit);
  inviteOwn(screen, stage);
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', () => play.agent.askAddress());
  const end = await Promise.race([ended, aborted(stop)]);
  lines.close();
  if (stop.aborted) return EXIT.ok;
  screen.line(`The agent stopped by itself, with ${end}.`);
  return EXIT.differs;
}

/** Prints the results; returns true when all is as expected. */
async function judge(
  { samples }: Stage,
  play: Play,
  screen: Screen,
  startedAt: number,
  exit: number | string | undefined,
): Promise<boolean> {
  play.view.end();
  screen.line();
  screen.line('Reading everything back from storage ...');
  const evidence = await play.evidence(exit);
  const verdict = verify(samples, evidence);
  screen.line();
  printVerdict(screen, verdict, evidence);
  printEnd(screen, verdict, evidence, performance.now() - startedAt);
  return verdict.differences.length === 0;
}

/** The outcome, or undefined when it took too long or someone asked to stop. */
async function inTime<T>(work: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  return Promise.race([work, aborted(AbortSignal.any([stop, AbortSignal.timeout(AGENT_LIMIT_MS)]))]);
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** A port that was just free; the console reports it if it has been taken since. */
function findFreePort(): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(port));
    });
    server.on('error', () => resolve(undefined));
  });
}

/** Builds the pages of the console from this checkout. */
async function buildPages(): Promise<void> {
  const builder = await createBuilder({ logLevel: 'error' });
  await builder.buildApp();
}

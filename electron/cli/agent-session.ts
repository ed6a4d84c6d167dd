import { type Failure, FailureError } from '../../shared/domain/failure.ts';
import { formatBytes } from '../../shared/lib/bytes.ts';
import { formatDuration } from '../../shared/lib/duration.ts';
import type { Agent, Clock, PushRequest } from '../agent/index.ts';
import { counted } from './counted.ts';
import { eventJson, eventText } from './event-text.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { jsonText } from './json-text.ts';
import type { Output } from './output.ts';
import { reportFailures } from './report-failure.ts';
import { createRunTally, type Summary } from './run-tally.ts';
import { showProgress } from './show-progress.ts';
import type { StopRequest } from './stop-signals.ts';

/** One run of an agent, from start to stop, told to a person or a program. */
export interface Session {
  readonly agent: Agent;
  readonly output: Output;
  readonly clock: Clock;
  readonly stop: StopRequest;
  readonly json: boolean;
  /** True: until all is settled. False: until it is stopped. */
  readonly untilIdle: boolean;
  readonly push: readonly PushRequest[];
  /** Starts what goes with the agent once it runs, and answers what ends it. */
  readonly beside?: () => Promise<() => Promise<void>>;
}

/** Longest wait for an orderly stop, milliseconds: service managers kill after 90 s, people press the key again before. */
const STOP_DEADLINE_MS = 10_000;

/** Runs the agent and tells what happens; answers the exit code. */
export async function runSession(session: Session): Promise<ExitCode> {
  const { agent, clock } = session;
  const tally = createRunTally();
  const startedMs = clock.monotonic();
  const unsubscribe = agent.events.on((event) => {
    tally.add(event);
    session.output.line(session.json ? eventJson(event, clock.now()) : eventText(event));
  });
  try {
    const refused = await start(session);
    if (refused !== undefined) return reportFailures([refused], session);
    const trouble = await workWithCompany(session);
    const progress = agent.progress();
    await stopInTime(session);
    const summary = tally.summary(progress, clock.monotonic() - startedMs);
    const exit = trouble === undefined ? exitFor(session, summary) : reportFailures([trouble], session);
    session.output.line(session.json ? summaryJson(summary) : summaryText(summary));
    return exit;
  } finally {
    unsubscribe();
  }
}

async function start(session: Session): Promise<Failure | undefined> {
  try {
    await session.agent.start();
    return undefined;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
}

/** What goes with the agent ends before it does, however the work ends. */
async function workWithCompany(session: Session): Promise<Failure | undefined> {
  const endCompany = await session.beside?.();
  try {
    return await work(session);
  } finally {
    await endCompany?.();
  }
}

async function work(session: Session): Promise<Failure | undefined> {
  const stopProgress = showProgress(session);
  try {
    if (session.push.length > 0) session.agent.push(session.push);
    const stopped = whenAborted(session.stop.signal);
    return await (session.untilIdle ? Promise.race([idle(session), stopped]) : stopped);
  } finally {
    stopProgress();
  }
}

async function idle({ agent, stop }: Session): Promise<Failure | undefined> {
  try {
    return await agent.untilIdle(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

async function stopInTime({ agent, clock, output }: Session): Promise<void> {
  const deadline = new AbortController();
  const stopped = agent.stop().then(() => true);
  const late = clock.sleep(STOP_DEADLINE_MS, deadline.signal).then(
    () => false,
    () => true,
  );
  const inTime = await Promise.race([stopped, late]);
  deadline.abort();
  if (inTime) return;
  // Nobody waits for it any more; the program ends without it
  stopped.catch(() => undefined);
  output.note(
    `Stopping took longer than ${formatDuration(STOP_DEADLINE_MS)}; the next start goes on from here.`,
  );
}

function exitFor({ untilIdle, stop }: Session, { failed, held, paused }: Summary): ExitCode {
  // A run without end is stopped by a signal and has done well; one with an end was interrupted.
  if (!untilIdle) return exitCodes.ok;
  return stop.exitCode() ?? (failed + held + paused > 0 ? exitCodes.someFailed : exitCodes.ok);
}

function summaryJson({ incidents, uploaded, failed, bytes, seconds, held, paused }: Summary): string {
  return jsonText({ event: 'summary', incidents, uploaded, failed, bytes, seconds, held, paused });
}

function summaryText(summary: Summary): string {
  const held = summary.held === 0 ? '' : `, ${counted(summary.held, 'file')} held back`;
  const paused =
    summary.paused === 0 ? '' : `, ${counted(summary.paused, 'clip')} paused and not sent until resumed`;
  const size = formatBytes(summary.bytes);
  const time = formatDuration(summary.seconds * 1000);
  const what = `${counted(summary.incidents, 'incident')}, ${counted(summary.uploaded, 'clip')} uploaded`;
  return `${what} (${size}), ${summary.failed} failed${held}${paused}, in ${time}.`;
}

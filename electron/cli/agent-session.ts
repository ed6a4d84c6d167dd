import { type Failure, FailureError } from '../../shared/domain/failure.ts';
import { formatBytes, formatDuration } from '../../shared/lib/readable-amounts.ts';
import { agentPolicyOf } from '../agent/core/failures/failure-policy.ts';
import type { Agent, AgentConfig, AgentEvent, Ports, Progress, PushRequest } from '../agent/index.ts';
import type { Deps } from './deps.ts';
import { exitCodes, type ExitCode, type StopRequest } from './exit-codes.ts';
import { circuitWords, counted, jsonText, seenWords, showProgress } from './output.ts';
import { reportFailures } from './report-failure.ts';
import { assertNever } from '../../shared/lib/result.ts';
import { needsPerson } from '../../shared/domain/seen-export.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';

/** One run of an agent, from start to stop. */
export interface AgentSession {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly json: boolean;
  /** True: runs until everything is done. False: runs until it is stopped. */
  readonly untilIdle: boolean;
  readonly push?: readonly PushRequest[];
  /** Starts a companion beside the agent, such as the console; the returned function stops it. */
  readonly beside?: ((agent: Agent) => Promise<() => Promise<void>>) | undefined;
}

/** Longest wait for an orderly stop, milliseconds: service managers kill after 90 s, people press Ctrl+C again. */
const STOP_DEADLINE_MS = 10_000;

/** Runs the agent and prints its events; returns the exit code. */
export async function runSession(session: AgentSession, deps: Deps): Promise<ExitCode> {
  const stop = deps.listenForStop();
  try {
    return await runAgent(session, deps, stop);
  } finally {
    stop.dispose();
  }
}

async function runAgent(session: AgentSession, deps: Deps, stop: StopRequest): Promise<ExitCode> {
  const { output, clock, createAgent } = deps;
  const { json } = session;
  const report = (failure: Failure): ExitCode => reportFailures([failure], { output, clock, json });
  const agent = await createAgent(session.config, session.ports);
  const tally = createRunTally();
  const startedMs = clock.monotonic();
  const unsubscribe = agent.events.on((event) => {
    tally.add(event);
    const line = json ? eventJson(event, clock.now()) : eventText(event);
    if (line !== undefined) output.line(line);
  });
  try {
    const refusal = await failureOf(agent.start());
    if (refusal !== undefined) return report(refusal);
    const failure = await work(agent, session, deps, stop.signal);
    const progress = agent.progress();
    await stopInTime(agent, deps);
    const summary = tally.summary(progress, clock.monotonic() - startedMs);
    const exit = failure === undefined ? exitFor(session, stop, summary) : report(failure);
    output.line(json ? jsonText({ event: 'summary', ...summary }) : summaryText(summary));
    return exit;
  } finally {
    unsubscribe();
  }
}

/** The failure that a promise resolves or rejects with. */
async function failureOf(promise: Promise<Failure | undefined | void>): Promise<Failure | undefined> {
  try {
    return (await promise) ?? undefined;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
}

/** The companion always stops before the agent, however the run ends. */
async function work(
  agent: Agent,
  { beside, push = [], untilIdle }: AgentSession,
  deps: Deps,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const endCompanion = await beside?.(agent);
  const stopProgress = showProgress(agent, deps);
  try {
    if (push.length > 0) agent.push(push);
    const stopped = Promise.race([whenAborted(signal), agent.ended]);
    if (!untilIdle) return await stopped;
    const idle = agent.untilIdle(signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    return await Promise.race([failureOf(idle), stopped]);
  } finally {
    stopProgress();
    await endCompanion?.();
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

async function stopInTime(agent: Agent, { clock, output }: Deps): Promise<void> {
  const deadline = new AbortController();
  const stopped = agent.stop().then(() => true);
  const late = clock.sleep(STOP_DEADLINE_MS, deadline.signal).then(
    () => false,
    () => true,
  );
  const inTime = await Promise.race([stopped, late]);
  deadline.abort();
  if (inTime) return;
  // Nobody waits for it any more; the program exits without it
  stopped.catch(() => undefined);
  output.note(
    `Stopping took longer than ${formatDuration(STOP_DEADLINE_MS)}. The next run continues where this one left off.`,
  );
}

/** What one run did and left undone; the fields of the last line of `--json`. */
interface Summary {
  /** Incidents with any event in this run. */
  readonly incidents: number;
  /** Clips uploaded in this run. */
  readonly uploaded: number;
  /** Clips that are failed now, even from earlier runs: they need attention. */
  readonly failed: number;
  /** Bytes of the uploaded clips. */
  readonly bytes: number;
  readonly seconds: number;
  /** Files, and whole folders, that were not uploaded in this run because of what they are. */
  readonly held: number;
  /** Clips that a person paused: this run did not send them. */
  readonly paused: number;
  /** Export folders without a clip, and watched folders with loose files; nothing in them was sent. */
  readonly unrecognised: number;
  /** Clips of this run that changed after they were found and before they were sent. */
  readonly altered: number;
  /** Clips still to be sent: the run could not continue, or was stopped. */
  readonly waiting: number;
  /** Incidents that the service refuses now, even from earlier runs: clips may be sent, but nobody sees them. */
  readonly refused: number;
}

/** Counts events as they arrive. */
function createRunTally() {
  const folders = new Map<string, string | undefined>();
  const held = new Set<string>();
  const unrecognised = new Set<string>();
  const altered = new Set<string>();
  let uploaded = 0;
  let bytes = 0;
  function noteState({ root, folder, state }: Extract<AgentEvent, { event: 'export.state' }>): void {
    // Nobody needs to act on a .hold marker, and `held` exports are counted through their files
    if (needsPerson(state) && state !== 'held') unrecognised.add(fileKey(root, folder));
    else unrecognised.delete(fileKey(root, folder));
  }
  return {
    add(event: AgentEvent): void {
      if ('incidentId' in event && !folders.has(event.incidentId)) folders.set(event.incidentId, undefined);
      if (event.event === 'incident.found') folders.set(event.incidentId, event.folder);
      // Files left out on purpose (a vendor's player, a link, a pipe) need no attention
      if (event.event === 'file.held' && agentPolicyOf(event.code).file !== 'leftOut')
        held.add(fileKey(event.folder, event.file));
      if (event.event === 'export.state') noteState(event);
      if (event.event === 'clip.uploaded' || event.event === 'clip.failed')
        held.delete(fileKey(folders.get(event.incidentId) ?? '', event.file));
      // A whole folder waits for a person's decision
      if (event.event === 'root.waiting') held.add(fileKey(event.root, ''));
      if (event.event === 'clip.altered') altered.add(event.clipId);
      if (event.event !== 'clip.uploaded') return;
      uploaded += 1;
      bytes += event.bytes;
    },
    summary: (progress: Progress, elapsedMs: number): Summary => ({
      incidents: folders.size,
      uploaded,
      failed: progress.clipsFailed,
      bytes,
      seconds: Math.round(elapsedMs) / 1000,
      held: held.size,
      paused: progress.clipsPaused,
      unrecognised: unrecognised.size,
      altered: altered.size,
      waiting: Math.max(
        0,
        progress.clips - progress.clipsUploaded - progress.clipsFailed - progress.clipsPaused,
      ),
      refused: progress.incidentsRefused,
    }),
  };
}

const fileKey = (folder: string, file: string): string => JSON.stringify([folder, file]);

function exitFor(
  { untilIdle }: AgentSession,
  stop: StopRequest,
  { failed, held, unrecognised, paused, altered, refused }: Summary,
): ExitCode {
  // A run without an end succeeds when a signal stops it; one with an end was interrupted
  if (!untilIdle) return exitCodes.ok;
  const open = failed + held + unrecognised + paused + altered + refused;
  return stop.exitCode() ?? (open > 0 ? exitCodes.someFailed : exitCodes.ok);
}

function summaryText(summary: Summary): string {
  const { waiting, held, unrecognised, paused, altered, refused } = summary;
  const rest = [
    [waiting, `${waiting} waiting`],
    [held, `${held} ${held === 1 ? 'file or folder' : 'files or folders'} held back`],
    [unrecognised, `${counted(unrecognised, 'folder')} not recognised or with files missing`],
    [paused, `${counted(paused, 'clip')} paused`],
    [altered, `${counted(altered, 'clip')} changed before being sent`],
    [refused, `${counted(refused, 'incident')} refused by the service`],
  ] as const;
  const left = rest.flatMap(([count, words]) => (count === 0 ? [] : `, ${words}`)).join('');
  const done = `${counted(summary.incidents, 'incident')}, ${counted(summary.uploaded, 'clip')} sent`;
  const time = formatDuration(summary.seconds * 1000);
  return `${done} (${formatBytes(summary.bytes)}), ${summary.failed} failed${left}, in ${time}.`;
}

type Coded = Pick<Failure, 'code' | 'message' | 'advice'>;

/** Width of the words that start lines, characters. */
const WORD_WIDTH = 9;

/** One event as a line for people: glyph, word, thing, reason. Undefined for most export states that need nobody. */
export function eventText(event: AgentEvent): string | undefined {
  switch (event.event) {
    case 'incident.found':
      return line(
        '○',
        'Found',
        `${quoted(event.title)}: ${counted(event.clips, 'clip')} in ${visibleName(event.folder)}`,
      );
    case 'incident.synced': {
      const counts = `${event.uploaded} sent, ${event.failed} failed, ${event.pending} waiting`;
      return line('✓', 'Synced', `${quoted(event.title)}: ${counts}`);
    }
    case 'clip.uploaded':
      return line('✓', 'Sent', `${visibleName(event.file)} (${formatBytes(event.bytes)})`);
    case 'clip.failed':
      return line('✕', 'Failed', coded(event, about(event.file, event.message)));
    case 'clip.altered':
      return line('!', 'Changed', `${event.code}: ${event.message}`);
    case 'clip.retrying':
      return line('↻', 'Retrying', `${after(event.delayMs)}: ${about(event.file, event.message)}`);
    case 'file.held':
      return line('○', 'Held back', coded(event, about(event.file || event.folder, event.message)));
    case 'export.state':
      if (!needsPerson(event.state) && event.state !== 'reading') return undefined;
      return line(
        needsPerson(event.state) ? '!' : '○',
        seenWords[event.state],
        `${event.folder === '' ? visibleName(event.root) : quoted(event.folder)}: ${event.message} ${event.advice}`,
      );
    case 'export.cleanedUp':
      return line('✓', 'Removed', `${quoted(event.title)}: ${counted(event.files, 'file')} ${event.action}`);
    case 'circuit.paused':
      return line('‖', 'On hold', `${coded(event)} Next attempt ${after(event.delayMs)}.`);
    case 'circuit.resumed':
      return line('▲', 'Resumed', `${circuitWords[event.circuit] ?? event.circuit} can be used again.`);
    case 'root.offline':
      return line('!', 'Offline', `${visibleName(event.root)}: ${coded(event)}`);
    case 'root.waiting':
      return line('!', 'Waiting', coded(event));
    case 'root.online':
      return line('✓', 'Online', visibleName(event.root));
    case 'warning':
      return line('!', 'Warning', `${event.code}: ${event.message}`);
    default:
      return assertNever(event);
  }
}

/** One event as a line of `--json` output. */
function eventJson(event: AgentEvent, atMs: number): string {
  const { event: name, ...rest } = event;
  return jsonText({ event: name, at: new Date(atMs).toISOString(), ...rest });
}

const line = (glyph: string, word: string, text: string): string =>
  `${glyph} ${word.padEnd(WORD_WIDTH)} ${text.trimEnd()}`;

const coded = ({ code, message, advice }: Coded, text = message): string => `${code}: ${text} ${advice}`;

/** Puts the file name in front of a message that does not contain it. */
function about(file: string, message: string): string {
  const name = visibleName(file);
  return message.includes(name) ? message : `${name}: ${message}`;
}

const quoted = (title: string): string => `"${visibleName(title)}"`;

const after = (delayMs: number): string => `in ${formatDuration(delayMs)}`;

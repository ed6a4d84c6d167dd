import type { AgentSignal } from '../../../shared/ipc/events.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import { observeSpeed, speedOf, startSpeedMeter } from '../core/speed-meter.ts';
import type { AgentEvent, AgentEvents } from '../events.ts';
import type { Clock, Logger } from '../ports.ts';
import type { ClipTransfer } from '../upload/transfer-meter.ts';
import { type ChangeSignals, createChangeSignals, type Subject } from './change-signals.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { createReportOnce } from '../../../shared/lib/report-once.ts';
import { messageWithFile, visibleName } from '../../../shared/lib/visible-name.ts';

/** Time between two signals while bytes move, milliseconds. */
const TICK_MS = 250;

/** A line that has been still for this long is at rest, milliseconds: till then the speed is seen to fall. */
const REST_MS = 3000;

/** What windows hear of the agent. */
export interface AgentSignals {
  /** Calls `listener` with each signal; returns the function that ends it. */
  on(listener: (signal: AgentSignal) => void): () => void;
}

/** The side of the agent, which makes the signals. */
export interface SignalHub extends AgentSignals, ChangeSignals, ProgressSignals {
  /** Ends all timers; who still listens hears nothing more. */
  stop(): void;
}

interface Deps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
  readonly transfer: TransferSource;
}

/** What there is while someone listens, and only then. */
interface Audience extends ChangeSignals, ProgressSignals {
  close(): void;
}

/** Creates the signals. Without a listener, nothing is collected and no timer runs: a new listener reads everything first. */
export function createSignals(deps: Deps): SignalHub {
  const listeners = new Set<{ readonly hear: (signal: AgentSignal) => void }>();
  const versions = new Map<Subject, number>();
  let audience: Audience | undefined;

  function emit(signal: AgentSignal): void {
    for (const { hear } of listeners) {
      try {
        hear(signal);
      } catch (error) {
        deps.logger.error('A signal listener failed', { error });
      }
    }
  }

  function leave(): void {
    audience?.close();
    audience = undefined;
  }

  return {
    on(listener) {
      const entry = { hear: listener };
      listeners.add(entry);
      audience ??= openAudience(deps, versions, emit);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) leave();
      };
    },
    changed: (subject, incidentIds) => audience?.changed(subject, incidentIds),
    moved: () => audience?.moved(),
    stop() {
      listeners.clear();
      leave();
    },
  };
}

function openAudience(
  { clock, events, transfer }: Deps,
  versions: Map<Subject, number>,
  emit: (signal: AgentSignal) => void,
): Audience {
  const closing = new AbortController();
  const changes = createChangeSignals(clock, versions, emit, closing.signal);
  const progress = createProgressSignals(clock, transfer, emit, closing.signal);
  const notices = createNotices();
  const unsubscribe = events.on((event) => {
    for (const subject of subjectsOf(event)) changes.changed(subject, incidentsOf(event));
    const notice = notices.of(event);
    if (notice !== undefined) emit(notice);
  });
  return {
    ...changes,
    ...progress,
    close() {
      unsubscribe();
      closing.abort();
    },
  };
}

function subjectsOf({ event }: AgentEvent): readonly Subject[] {
  switch (event) {
    case 'incident.found':
    case 'clip.retrying':
    case 'clip.altered':
      return ['uploads'];
    case 'incident.synced':
    case 'clip.uploaded':
    case 'clip.failed':
    case 'export.cleanedUp':
    // What a circuit lets through or holds back is shown as under way or waiting
    case 'circuit.paused':
    case 'circuit.resumed':
    case 'warning':
      return ['uploads', 'health'];
    case 'file.held':
    case 'root.offline':
    case 'root.online':
    case 'root.waiting':
      return ['health'];
    // Told when it can be read (queue/seen-exports.ts)
    case 'export.state':
      return [];
    default:
      return assertNever(event);
  }
}

const incidentsOf = (event: AgentEvent): readonly string[] | undefined =>
  'incidentId' in event ? [event.incidentId] : undefined;

/** Where the transfer stands. */
interface TransferReading {
  readonly bytesTotal: number;
  readonly bytesDone: number;
  readonly clips: readonly ClipTransfer[];
}

/** Where the figures come from. */
interface TransferSource {
  /** Bytes that left since the start, repeated ones included. Cheap: asked for each piece that goes onto the line. */
  sentBytes(): number;
  /** Undefined when there is no agent to be read any more. */
  read(): TransferReading | undefined;
}

/** Reports how the bytes move. */
interface ProgressSignals {
  /** Bytes left. Cheap: called for each piece that goes onto the line. */
  moved(): void;
}

/**
 * Makes the reporter: nothing while the line rests, four signals a second while bytes move, and one with speed 0 when it
 * comes to rest.
 */
function createProgressSignals(
  clock: Clock,
  source: TransferSource,
  emit: (signal: AgentSignal) => void,
  stop: AbortSignal,
): ProgressSignals {
  let isReporting = false;

  async function reportUntilRest(): Promise<void> {
    let speed = startSpeedMeter(source.sentBytes(), clock.monotonic());
    let movedMs = clock.monotonic();
    for (;;) {
      await clock.sleep(TICK_MS, stop);
      const reading = source.read();
      if (reading === undefined) return;
      const now = clock.monotonic();
      const sentBytes = source.sentBytes();
      if (sentBytes > speed.bytes) movedMs = now;
      speed = observeSpeed(speed, sentBytes, now);
      const isAtRest = now > movedMs && (reading.clips.length === 0 || now - movedMs >= REST_MS);
      emit(progressSignal(reading, isAtRest ? 0 : (speedOf(speed) ?? 0)));
      if (isAtRest) return;
    }
  }

  return {
    moved() {
      if (isReporting || stop.aborted) return;
      isReporting = true;
      reportUntilRest()
        // The sleep ends with the audience
        .catch(() => undefined)
        .finally(() => {
          isReporting = false;
        });
    },
  };
}

function progressSignal(reading: TransferReading, bytesPerSecond: number): AgentSignal {
  const { bytesTotal, bytesDone, clips } = reading;
  return { kind: 'progress', bytesPerSecond: Math.round(bytesPerSecond), bytesTotal, bytesDone, clips };
}

/** Incidents that are remembered as reported; one that was forgotten is reported again when it is written again. */
const MOST_REMEMBERED = 1000;

type Notice = Extract<AgentSignal, { kind: 'notice' }>;

/** Picks what a person may want to read now out of all that happens. */
interface Notices {
  of(event: AgentEvent): Notice | undefined;
}

/** Makes the picker. It remembers which incidents it reported: a record is written again when a detail changes. */
export function createNotices(): Notices {
  const { isNews } = createReportOnce(MOST_REMEMBERED);
  return {
    of(event) {
      switch (event.event) {
        case 'incident.synced': {
          const { incidentId, uploaded, failed, pending } = event;
          const isDone = pending === 0 && uploaded + failed > 0;
          return isDone && isNews(incidentId, `${uploaded} ${failed}`) ? sentNotice(event) : undefined;
        }
        case 'clip.failed': {
          const { code, incidentId, clipId } = event;
          if (policyOf(code).isKnown === true) return undefined;
          return {
            kind: 'notice',
            level: 'failure',
            code,
            message: `${messageWithFile(event.message, event.file)} ${event.advice}`.trimEnd(),
            incidentId,
            clipId,
          };
        }
        case 'file.held': {
          const { folder, message, advice } = event;
          return warning(event.code, `${folder === '' ? '' : `${folder}: `}${message} ${advice}`);
        }
        case 'export.state':
          // Of loose files each is said by itself
          return event.state === 'unrecognised' && event.folder !== ''
            ? warning('EXPORT_NOT_RECOGNISED', `${event.folder}: ${event.message} ${event.advice}`)
            : undefined;
        case 'circuit.paused':
        case 'root.offline':
        case 'root.waiting':
          return warning(event.code, `${event.message} ${event.advice}`);
        case 'warning':
          return warning(event.code, event.message);
        default:
          return undefined;
      }
    },
  };
}

const warning = (code: Notice['code'], text: string): Notice => ({
  kind: 'notice',
  level: 'warning',
  code,
  message: visibleName(text.trimEnd()),
});

function sentNotice(event: Extract<AgentEvent, { event: 'incident.synced' }>): Notice {
  const { incidentId, title, uploaded, failed } = event;
  const clips = (count: number): string => `${count} ${count === 1 ? 'clip' : 'clips'}`;
  const said = [
    ...(uploaded > 0 ? [`${clips(uploaded)} sent`] : []),
    ...(failed > 0 ? [`${uploaded > 0 ? failed : clips(failed)} failed`] : []),
  ];
  return {
    kind: 'notice',
    level: failed === 0 ? 'info' : 'warning',
    code: 'INCIDENT_SENT',
    message: `${visibleName(title)}: ${said.join(', ')}.`,
    incidentId,
  };
}

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

/** Interval between signals while bytes are sent, milliseconds. */
const TICK_MS = 250;

/** Time without traffic before the connection counts as idle, milliseconds: until then, the speed is shown falling. */
const REST_MS = 3000;

/** The agent's signals to the windows. */
export interface AgentSignals {
  /** Calls `listener` with each signal; returns the function that unsubscribes it. */
  on(listener: (signal: AgentSignal) => void): () => void;
}

/** The agent's side, which emits the signals. */
export interface SignalHub extends AgentSignals, ChangeSignals, ProgressSignals {
  /** Stops all timers; remaining listeners get no more signals. */
  stop(): void;
}

interface Deps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
  readonly transfer: TransferSource;
}

/** Exists only while someone listens. */
interface Audience extends ChangeSignals, ProgressSignals {
  close(): void;
}

/**
 * Creates the signals. Without a listener nothing is collected and no timer runs: a new listener first reads
 * everything.
 */
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
    // The state of a circuit decides whether uploads are shown as running or waiting
    case 'circuit.paused':
    case 'circuit.resumed':
    case 'warning':
      return ['uploads', 'health'];
    case 'file.held':
    case 'root.offline':
    case 'root.online':
    case 'root.waiting':
      return ['health'];
    // Reported once it can be read (queue/seen-exports.ts)
    case 'export.state':
      return [];
    default:
      return assertNever(event);
  }
}

const incidentsOf = (event: AgentEvent): readonly string[] | undefined =>
  'incidentId' in event ? [event.incidentId] : undefined;

/** Progress of the transfer. */
interface TransferReading {
  readonly bytesTotal: number;
  readonly bytesDone: number;
  readonly clips: readonly ClipTransfer[];
}

/** Source of the figures. */
interface TransferSource {
  /** Bytes sent since the start, repeated ones included. Cheap: called for each chunk that is sent. */
  sentBytes(): number;
  /** Undefined if the agent can no longer be read. */
  read(): TransferReading | undefined;
}

/** Reports the progress of the transfer. */
interface ProgressSignals {
  /** Bytes were sent. Cheap: called for each chunk that is sent. */
  moved(): void;
}

/**
 * Creates the reporter: silent while the connection is idle, four signals a second while bytes are sent, and one with
 * speed 0 when it becomes idle.
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
        // The sleep is aborted when the last listener leaves
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

/** How many reported incidents are remembered; a forgotten one is reported again when its record is written again. */
const MOST_REMEMBERED = 1000;

type Notice = Extract<AgentSignal, { kind: 'notice' }>;

/** Picks the events that a person may want to read about now. */
interface Notices {
  of(event: AgentEvent): Notice | undefined;
}

/**
 * Creates the picker. It remembers which incidents it reported, because a record is written again when a detail
 * changes.
 */
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
          // Each loose file is reported on its own
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
  const parts = [
    ...(uploaded > 0 ? [`${clips(uploaded)} sent`] : []),
    ...(failed > 0 ? [`${uploaded > 0 ? failed : clips(failed)} failed`] : []),
  ];
  return {
    kind: 'notice',
    level: failed === 0 ? 'info' : 'warning',
    code: 'INCIDENT_SENT',
    message: `${visibleName(title)}: ${parts.join(', ')}.`,
    incidentId,
  };
}

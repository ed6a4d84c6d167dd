import { eventText } from '../../electron/cli/agent-session.ts';
import { observeSpeed, speedOf, startSpeedMeter } from '../../electron/agent/core/speed-meter.ts';
import { formatBytes, formatSpeed } from '../../shared/lib/readable-amounts.ts';
import type { RequestLog } from '../simulator/index.ts';
import type { ToldEvent } from './run-agent.ts';
import type { Colour, Screen } from './screen.ts';

/** Time between two redraws, milliseconds. */
const REDRAW_MS = 250;
/** Width of the bar, characters. */
const BAR_CELLS = 20;
/** Time without a byte after which the speed is meaningless, milliseconds. */
const QUIET_MS = 1000;
/** Width of the elapsed seconds, digits. */
const SECONDS_COLUMNS = 6;

const colours: Partial<Record<ToldEvent['event'], Colour>> = {
  'clip.uploaded': 'green',
  'incident.synced': 'green',
  'clip.failed': 'red',
  'clip.retrying': 'yellow',
  'file.held': 'yellow',
  'circuit.paused': 'yellow',
  'root.offline': 'red',
  warning: 'yellow',
};

/** Shows the agent's events as they arrive. */
export interface LiveView {
  event(event: ToldEvent): void;
  note(text: string): void;
  /** Shows what the demo itself did, as the recorder or an operator would. */
  scene(text: string): void;
  /** Removes the progress line permanently. */
  end(): void;
}

/** The totals of the progress line. */
export interface Goal {
  readonly requests: RequestLog;
  readonly clips: number;
  readonly bytes: number;
}

/** Starts a view; seconds are counted from now. */
export function startLiveView(screen: Screen, goal: Goal): LiveView {
  const startedAt = performance.now();
  const settled = new Set<string>();
  let meter = startSpeedMeter(0, startedAt);
  let movedAt = startedAt;
  const draw = (): void => {
    const now = performance.now();
    const bytes = Math.min(goal.bytes, storedBytes(goal.requests));
    if (bytes > meter.bytes) movedAt = now;
    meter = observeSpeed(meter, bytes, now);
    const speed = now - movedAt < QUIET_MS ? speedOf(meter) : undefined;
    screen.progress(settled.size < goal.clips ? progressText(goal, bytes, settled.size, speed) : undefined);
  };
  const timer = setInterval(draw, REDRAW_MS);
  const line = (colour: Colour | undefined, text: string): void => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(SECONDS_COLUMNS);
    screen.line(
      `${screen.paint('dim', `${seconds} s`)}  ${colour === undefined ? text : screen.paint(colour, text)}`,
    );
  };
  return {
    event(event) {
      if (event.event === 'summary') return;
      if (event.event === 'console')
        return line('bold', `The console (the address works once, within a minute): ${event.url}`);
      if (event.event === 'clip.uploaded' || event.event === 'clip.failed') settled.add(event.clipId);
      const text = eventText(event);
      if (text !== undefined) line(colours[event.event], text);
    },
    note: (text) => line('dim', text),
    scene: (text) => line('dim', `· ${text}`),
    end() {
      clearInterval(timer);
      screen.progress(undefined);
    },
  };
}

/** Bytes that storage has received, including those of incomplete objects. */
function storedBytes(requests: RequestLog): number {
  const sends = [...requests.of('putObject'), ...requests.of('putPart')];
  return sends.reduce((sum, { bytesReceived }) => sum + bytesReceived, 0);
}

function progressText(
  goal: Goal,
  bytes: number,
  settled: number,
  bytesPerSecond: number | undefined,
): string {
  const share = goal.bytes === 0 ? 0 : bytes / goal.bytes;
  const full = Math.floor(share * BAR_CELLS);
  return [
    `[${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}] ${String(Math.floor(share * 100)).padStart(3)}%`,
    `${formatBytes(bytes)} of ${formatBytes(goal.bytes)}`,
    `${settled} of ${goal.clips} clips`,
    bytesPerSecond === undefined ? 'settling' : formatSpeed(bytesPerSecond),
  ].join('  ');
}

import { formatBytes, formatSpeed } from '../../shared/lib/bytes.ts';
import { formatDuration } from '../../shared/lib/duration.ts';
import { observeSpeed, speedOf, startSpeedMeter } from '../agent/core/speed-meter.ts';
import type { Agent, Clock, Progress } from '../agent/index.ts';
import type { Output } from './output.ts';

/** Time between two drawings, milliseconds: faster, and the figures cannot be read. */
const REDRAW_MS = 250;

/** Draws the progress line until the answered function is called, which takes it away. */
export function showProgress(
  agent: Pick<Agent, 'progress'>,
  { output, clock }: { readonly output: Output; readonly clock: Clock },
): () => void {
  if (!output.showsProgress) return () => undefined;
  const ended = new AbortController();
  const first = agent.progress();
  const bytesBefore = first.bytesUploaded;
  let meter = startSpeedMeter(bytesDone(first), clock.monotonic());
  const draw = (): void => {
    const progress = agent.progress();
    meter = observeSpeed(meter, bytesDone(progress), clock.monotonic());
    const bytesPerSecond = speedOf(meter);
    output.progress(progressLine({ progress, bytesBefore, bytesPerSecond, columns: output.columns() }));
  };
  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      draw();
      await clock.sleep(REDRAW_MS, ended.signal).catch(() => undefined);
    }
  };
  void loop();
  return () => {
    ended.abort();
    output.progress(undefined);
  };
}

/** What the line is made from. */
export interface ProgressView {
  readonly progress: Progress;
  /** Bytes that were done before this run began: the bar is about this run. */
  readonly bytesBefore: number;
  readonly bytesPerSecond: number | undefined;
  readonly columns: number;
}

/** Characters of the bar itself. */
const BAR_CELLS = 20;
/** Under this speed a time left says nothing, bytes per second. */
const LEAST_SPEED = 1;

/** One line: bar, per cent, bytes, speed, time left, clips. Fields that do not fit are left out from the right. */
export function progressLine(view: ProgressView): string {
  const room = Math.max(1, view.columns - 1);
  let line = '';
  for (const field of fieldsOf(view)) {
    const longer = line === '' ? field : `${line}  ${field}`;
    if ([...longer].length > room) break;
    line = longer;
  }
  return line === '' ? [...(fieldsOf(view)[0] ?? '')].slice(0, room).join('') : line;
}

/** Bytes that storage has taken, finished clips and running ones together. */
function bytesDone(progress: Progress): number {
  return progress.bytesUploaded + progress.bytesInFlight;
}

function fieldsOf({ progress, bytesBefore, bytesPerSecond }: ProgressView): readonly string[] {
  const total = Math.max(0, progress.bytesTotal - bytesBefore);
  const done = Math.min(total, Math.max(0, bytesDone(progress) - bytesBefore));
  const clips = clipsText(progress);
  if (progress.pausedBecause !== undefined) return [`Paused: ${progress.pausedBecause.message}`, clips];
  const isSettled = progress.clipsUploaded + progress.clipsFailed >= progress.clips;
  if (isSettled || total === 0 || done === total) return [idleText(progress), clips];
  const share = done / total;
  const speed = bytesPerSecond ?? 0;
  const isMoving = speed >= LEAST_SPEED;
  return [
    `[${barText(share)}] ${String(Math.floor(share * 100)).padStart(3)}%`,
    ...(isMoving
      ? [formatSpeed(speed), `${formatDuration(Math.ceil((total - done) / speed) * 1000)} left`]
      : []),
    `${formatBytes(done)} of ${formatBytes(total)}`,
    clips,
    ...(progress.settling > 0 ? [settlingText(progress.settling)] : []),
  ];
}

function barText(share: number): string {
  const full = Math.floor(share * BAR_CELLS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}`;
}

function clipsText({ clips, clipsUploaded, clipsFailed }: Progress): string {
  const failed = clipsFailed === 0 ? '' : `, ${clipsFailed} failed`;
  return `${clipsUploaded} of ${clips} clips${failed}`;
}

function idleText(progress: Progress): string {
  if (progress.settling > 0) return settlingText(progress.settling);
  return progress.clipsUploaded + progress.clipsFailed < progress.clips ? 'Finishing' : 'Nothing waits';
}

const settlingText = (files: number): string =>
  files === 1 ? '1 file is still being written' : `${files} files are still being written`;

import type { FileClass } from '../../shared/domain/file-account.ts';
import type { SeenState } from '../../shared/domain/seen-export.ts';
import { formatBytes, formatSpeed, formatDuration } from '../../shared/lib/readable-amounts.ts';
import { observeSpeed, speedOf, startSpeedMeter } from '../agent/core/speed-meter.ts';
import type { Agent, Clock, Progress } from '../agent/index.ts';
/** The part of a stream that is written to. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where a command writes. Lines and the progress line share one terminal, so they pass through here. */
export interface Output {
  /** Writes a line of results to stdout. */
  line(text: string): void;
  /**
   * Writes the service's own data to stdout, with its own line ends. Only keys and characters that could control a
   * terminal are removed; addresses keep their queries.
   */
  data(text: string): void;
  /** Writes a line about a problem, or advice, to stderr. */
  note(text: string): void;
  /** Writes a question to stderr; the answer is typed after it. */
  question(text: string): void;
  /** Sets the line that is redrawn in place on a terminal; undefined removes it. */
  progress(text: string | undefined): void;
  /** Whether `progress` shows anything. */
  readonly showsProgress: boolean;
  /** Characters per line of the terminal with the progress line. */
  columns(): number;
  /** Characters per line of the terminal with the results; undefined if they go elsewhere. */
  width(): number | undefined;
}

/** Options of `createOutput`. `clean` removes secrets from everything that is written, `removeKeys` only keys. */
export interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clean: (text: string) => string;
  readonly removeKeys: (text: string) => string;
}

/** Width of a terminal that does not report its own, characters. */
const DEFAULT_COLUMNS = 80;
/** Returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001b[K';
/**
 * Control characters other than tab and line end, and those that change the text direction. Names are already made
 * visible where they are put into text; this is the last line of defence.
 */
export const STEERING = /[^\P{Cc}\n\t\r]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Creates the output to two streams. The progress line is drawn on stderr if that is a terminal and NO_COLOR is not
 * set.
 */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, environment, clean, removeKeys } = options;
  const showsProgress =
    stderr.isTTY === true && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  let shown: string | undefined;
  const hide = (): void => {
    if (shown !== undefined) stderr.write(CLEAR_LINE);
  };
  const write = (stream: TextStream, text: string, end = ''): void => {
    hide();
    stream.write(text.replaceAll(STEERING, '\ufffd') + end);
    if (shown !== undefined) stderr.write(shown);
  };
  return {
    line: (text) => write(stdout, clean(text), '\n'),
    data: (text) => write(stdout, removeKeys(text)),
    note: (text) => write(stderr, clean(text), '\n'),
    question: (text) => write(stderr, clean(text)),
    progress(text) {
      if (!showsProgress || text === shown) return;
      hide();
      shown = text?.replaceAll(STEERING, '\ufffd');
      if (shown !== undefined) stderr.write(shown);
    },
    showsProgress,
    columns: () => stderr.columns ?? DEFAULT_COLUMNS,
    width: () => (stdout.isTTY === true ? (stdout.columns ?? DEFAULT_COLUMNS) : undefined),
  };
}

/** Characters that JSON does not escape but that could control a terminal. */
const STEERING_IN_JSON = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as equivalent JSON that is safe to display: characters that could control a terminal are escaped. */
export function jsonText(value: unknown, indentSpaces = 0): string {
  return JSON.stringify(value, undefined, indentSpaces).replaceAll(
    STEERING_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A number with its noun: "1 user", "2 users". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What became of an export's file, in singular and plural. */
export const fileWords: Readonly<Record<FileClass, { readonly one: string; readonly many: string }>> = {
  clip: { one: 'clip', many: 'clips' },
  copy: { one: 'copy of a sent clip', many: 'copies of sent clips' },
  companion: { one: 'companion', many: 'companions' },
  picture: { one: 'picture', many: 'pictures' },
  sidecar: { one: 'sidecar', many: 'sidecars' },
  program: { one: 'program', many: 'programs' },
  system: { one: 'ignored file', many: 'ignored files' },
  waiting: { one: 'file waiting', many: 'files waiting' },
  unknown: { one: 'file not recognised', many: 'files not recognised' },
};

/** "2 companions"; empty if there are none. */
export const countedFiles = (count: number, fileClass: FileClass): readonly string[] =>
  count === 0 ? [] : [`${count} ${fileWords[fileClass][count === 1 ? 'one' : 'many']}`];

/** The state of an export that is not completely in the queue, in words. */
export const seenWords: Readonly<Record<SeenState, string>> = {
  held: 'Held back',
  unrecognised: 'Not recognised',
  missing: 'Files missing',
  onHold: 'Held by marker',
  ignored: 'Ignored',
  reading: 'Reading',
  writing: 'Being written',
  settling: 'Settling',
  copy: 'Copy',
};
/** What uploads wait for, by the circuit names in events. */
export const circuitWords: Readonly<Record<string, string>> = {
  service: 'The service',
  storage: 'Storage',
  desk: 'The disk with the data directory',
};

/** Time between redraws, milliseconds: faster ones make figures unreadable. */
const REDRAW_MS = 250;

/** Draws the progress line until the returned function is called, which removes it. */
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

/** Data for the progress line. */
interface ProgressView {
  readonly progress: Progress;
  /** Bytes finished before this run: the bar covers only this run. */
  readonly bytesBefore: number;
  readonly bytesPerSecond: number | undefined;
  readonly columns: number;
}

/** Characters of the bar itself. */
const BAR_CELLS = 20;
/** Below this speed, no time left is shown, bytes per second. */
const LEAST_SPEED = 1;

/** One line: bar, per cent, speed, time left, bytes, clips. Fields that do not fit are dropped from the right. */
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

/** Bytes that storage has received, of finished and running clips together. */
function bytesDone(progress: Progress): number {
  return progress.bytesUploaded + progress.bytesInFlight;
}

function fieldsOf({ progress, bytesBefore, bytesPerSecond }: ProgressView): readonly string[] {
  const total = Math.max(0, progress.bytesTotal - bytesBefore);
  const done = Math.min(total, Math.max(0, bytesDone(progress) - bytesBefore));
  const clips = clipsText(progress);
  if (progress.pausedBecause !== undefined) return [`On hold: ${progress.pausedBecause.message}`, clips];
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
  return `${clipsUploaded} of ${counted(clips, 'clip')}${failed}`;
}

function idleText(progress: Progress): string {
  if (progress.settling > 0) return settlingText(progress.settling);
  return progress.clipsUploaded + progress.clipsFailed < progress.clips ? 'Finishing' : 'Nothing waiting';
}

const settlingText = (files: number): string =>
  files === 1 ? '1 file may not be finished yet' : `${files} files may not be finished yet`;

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
  /** A line of results, on stdout. */
  line(text: string): void;
  /**
   * A text of the service's own data, on stdout: only keys and what could steer a terminal are taken out, addresses
   * keep their queries. It brings its own line ends.
   */
  data(text: string): void;
  /** A line about a problem, or advice, on stderr. */
  note(text: string): void;
  /** A question on stderr; the answer is typed behind it. */
  question(text: string): void;
  /** The line that is redrawn in place on a terminal; undefined takes it away. */
  progress(text: string | undefined): void;
  /** True when `progress` shows something. */
  readonly showsProgress: boolean;
  /** Characters that fit on one line of the progress line's terminal. */
  columns(): number;
  /** Characters that fit on one line of the results' terminal; undefined when they go elsewhere. */
  width(): number | undefined;
}

/** What `createOutput` needs. `clean` takes secrets out of everything that is written, `removeKeys` keys alone. */
export interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clean: (text: string) => string;
  readonly removeKeys: (text: string) => string;
}

/** Width of a terminal that does not report its own, characters. */
const DEFAULT_COLUMNS = 80;
/** Back to the start of the line, and clear it. */
const CLEAR_LINE = '\r\u001b[K';
/**
 * Controls other than tab and line end, and what turns the direction of text around. Names are made visible where they
 * are put into text; this is the last line of defence.
 */
export const STEERING = /[^\P{Cc}\n\t\r]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/gu;

/** Output to two streams. The progress line is drawn on stderr when that is a terminal and NO_COLOR is not set. */
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

/** Characters that JSON leaves as they are and that could still steer a terminal. */
const STEERING_IN_JSON = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON that means the same everywhere and shows harmlessly: what could steer a terminal is escaped. */
export function jsonText(value: unknown, indentSpaces = 0): string {
  return JSON.stringify(value, undefined, indentSpaces).replaceAll(
    STEERING_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A number with its noun: "1 user", "2 users". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What became of a file of an export, for one and for several. */
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

/** "2 companions"; nothing where there are none. */
export const countedFiles = (count: number, fileClass: FileClass): readonly string[] =>
  count === 0 ? [] : [`${count} ${fileWords[fileClass][count === 1 ? 'one' : 'many']}`];

/** The state of an export that is not wholly in the queue, as a word. */
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
/** What uploads wait for, by the names of circuits in events. */
export const circuitWords: Readonly<Record<string, string>> = {
  service: 'The service',
  storage: 'Storage',
  desk: 'The disk with the data directory',
};

/** Time between two drawings, milliseconds: faster, and the figures cannot be read. */
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

/** What the line is made from. */
interface ProgressView {
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

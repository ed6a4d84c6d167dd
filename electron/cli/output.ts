import type { SeenState } from '../../shared/domain/seen-export.ts';

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

/** The state of an export that is not wholly in the queue, as a word. */
export const seenWords: Readonly<Record<SeenState, string>> = {
  held: 'Held back',
  unrecognised: 'Not taken',
  missing: 'Missing',
  onHold: 'On hold',
  ignored: 'Left out',
  reading: 'Reading',
  writing: 'Arriving',
  settling: 'Settling',
  copy: 'Copy',
};

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
  /** A line of trouble or advice, on stderr. */
  note(text: string): void;
  /** The line that is redrawn in place on a terminal; undefined takes it away. */
  progress(text: string | undefined): void;
  /** True when `progress` shows something. */
  readonly showsProgress: boolean;
  /** Characters that fit on one line of the terminal. */
  columns(): number;
}

/** What `createOutput` needs. `clean` takes secrets out of everything that is written. */
export interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clean: (text: string) => string;
}

/** Width of a terminal that does not tell its own, characters. */
const DEFAULT_COLUMNS = 80;
/** Back to the start of the line, and clear it. */
const CLEAR_LINE = '\r\u001b[K';
/** Controls except line end and tab: names are made visible where they are put into text, this is the last net. */
const STEERING = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Output to two streams. The progress line is drawn on stderr when that is a terminal and NO_COLOR is not set. */
export function createOutput({ stdout, stderr, environment, clean }: OutputOptions): Output {
  const showsProgress =
    stderr.isTTY === true && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  let shown: string | undefined;
  const hide = (): void => {
    if (shown !== undefined) stderr.write(CLEAR_LINE);
  };
  const write = (stream: TextStream, text: string): void => {
    hide();
    stream.write(`${clean(text).replaceAll(STEERING, '\ufffd')}\n`);
    if (shown !== undefined) stderr.write(shown);
  };
  return {
    line: (text) => write(stdout, text),
    note: (text) => write(stderr, text),
    progress(text) {
      if (!showsProgress || text === shown) return;
      hide();
      shown = text?.replaceAll(STEERING, '\ufffd');
      if (shown !== undefined) stderr.write(shown);
    },
    showsProgress,
    columns: () => stderr.columns ?? DEFAULT_COLUMNS,
  };
}

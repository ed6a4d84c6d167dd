import { styleText } from 'node:util';

/** Printed lines, with one line below them that is redrawn in place. */
export interface Screen {
  line(text?: string): void;
  /** Undefined removes it. Shows nothing where lines cannot be redrawn. */
  progress(text: string | undefined): void;
  readonly showsProgress: boolean;
  columns(): number;
  /** The text in a colour, if colours are supported. */
  paint(colour: Colour, text: string): string;
}

export type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

/** Width without a terminal, as in the log of a build server. */
const LOG_COLUMNS = 132;
/** Returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001b[K';

/** A screen on a stream; colours follow the stream and NO_COLOR. */
export function createScreen(stream: NodeJS.WriteStream): Screen {
  const showsProgress = stream.isTTY && process.env['TERM'] !== 'dumb';
  let shown: string | undefined;
  const hide = (): void => {
    if (shown !== undefined) stream.write(CLEAR_LINE);
  };
  const columns = (): number => (stream.isTTY ? stream.columns : LOG_COLUMNS);
  return {
    line(text = '') {
      hide();
      stream.write(`${text}\n`);
      if (shown !== undefined) stream.write(shown);
    },
    progress(text) {
      if (!showsProgress || text === shown) return;
      hide();
      shown = text === undefined ? undefined : [...text].slice(0, columns() - 1).join('');
      if (shown !== undefined) stream.write(shown);
    },
    showsProgress,
    columns,
    paint: (colour, text) => styleText(colour, text, { stream }),
  };
}

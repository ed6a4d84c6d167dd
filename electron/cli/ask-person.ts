import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Asks a person at a terminal; undefined when there is no answer, because the input ended or a signal came. */
export type AskPerson = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** Asks on one stream and reads the answer, one line, from another. */
export function createAskPerson(input: Readable, write: (text: string) => void): AskPerson {
  return (question, signal) =>
    new Promise((resolve) => {
      write(question);
      // Not as a terminal: readline would take Ctrl+C for itself, and the line can be edited without it
      const lines = createInterface({ input, terminal: false, signal });
      let answer: string | undefined;
      lines.once('line', (line) => {
        answer = line;
        lines.close();
      });
      lines.once('close', () => {
        // Where nobody typed the end of the line, what follows would stand behind the question
        if (answer === undefined) write('\n');
        resolve(answer);
      });
    });
}

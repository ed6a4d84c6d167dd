import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentEvent, Logger } from '../agent/index.ts';

/** Size at which a new file is started, bytes. */
const FILE_BYTES = 10_000_000;
/** Number of files kept, the current one included. */
const MOST_FILES = 5;
/** Most text that waits for a slow or full disk, characters; further lines are counted and dropped. */
const MOST_WAITING = 1_000_000;

interface Deps {
  /** Absolute; created if missing. */
  readonly folder: string;
  readonly name: string;
  readonly fileBytes?: number;
}

/** The log on disk. Its problems never reach the caller: the agent continues without a log. */
export interface LogFile {
  /** Writes one line, redacted and without a line break. Never throws. */
  write(line: string): void;
  /** The last line that was written; empty if there is none. */
  lastLine(): string;
  /** Resolves when everything so far has been written or has failed. */
  flush(): Promise<void>;
}

/** Creates the log. Lines are written in the background, batched when many arrive together. */
export function createLogFile({ folder, name, fileBytes = FILE_BYTES }: Deps): LogFile {
  const file = join(folder, name);
  let waiting = '';
  let last = '';
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let sizeBytes: number | undefined;

  async function turnOver(): Promise<void> {
    await rm(`${file}.${MOST_FILES - 1}`, { force: true });
    for (let age = MOST_FILES - 2; age >= 0; age -= 1)
      await rename(age === 0 ? file : `${file}.${age}`, `${file}.${age + 1}`).catch(() => undefined);
    sizeBytes = 0;
  }

  async function append(text: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    sizeBytes ??= await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    const bytes = Buffer.byteLength(text);
    if (sizeBytes > 0 && sizeBytes + bytes > fileBytes) await turnOver();
    await appendFile(file, text, { mode: 0o600 });
    sizeBytes += bytes;
  }

  async function writeAll(): Promise<void> {
    while (waiting !== '') {
      const text =
        dropped === 0 ? waiting : `${waiting}{"message":"Lines were dropped","lines":${dropped}}\n`;
      [waiting, dropped] = ['', 0];
      try {
        await append(text);
      } catch {
        // Full disk or missing folder: the next line tries again
      }
    }
    writing = undefined;
  }

  return {
    write(line) {
      last = line;
      if (waiting.length + line.length > MOST_WAITING) {
        dropped += 1;
        return;
      }
      waiting += `${line}\n`;
      writing ??= writeAll();
    },
    lastLine: () => last,
    flush: async () => writing,
  };
}

/** Level and message of the log line for each event of the agent. */
const lines = {
  'incident.found': ['info', 'An export became an incident'],
  'incident.synced': ['info', 'An incident was synced with the service'],
  'clip.uploaded': ['info', 'A clip was sent'],
  'clip.failed': ['warn', 'A clip failed'],
  'clip.altered': ['warn', 'A clip changed before it was sent'],
  'clip.retrying': ['warn', 'A clip will be retried later'],
  'file.held': ['warn', 'A file or folder is held back'],
  'export.cleanedUp': ['info', 'An export was removed from its watched folder'],
  'export.state': ['info', 'An export is not fully queued'],
  'circuit.paused': ['warn', 'Uploads are on hold'],
  'circuit.resumed': ['info', 'Uploads resumed'],
  'root.offline': ['warn', 'A folder cannot be watched'],
  'root.online': ['info', 'A folder can be watched again'],
  'root.waiting': ['warn', 'A watched folder needs a decision'],
  warning: ['warn', 'Warning from the agent'],
} as const satisfies Readonly<Record<AgentEvent['event'], readonly ['info' | 'warn', string]>>;

/**
 * Logs the agent's events: pages show the present state, support asks for the past. Returns the function that
 * unsubscribes.
 */
export function logEvents(events: Agent['events'], logger: Logger): () => void {
  return events.on(({ event, ...facts }) => {
    const [level, line] = lines[event];
    if (!('message' in facts)) return logger[level](line, facts);
    // A log line already has a `message`
    const { message: reason, ...rest } = facts;
    logger[level](line, { ...rest, reason });
  });
}

import { chmod } from 'node:fs/promises';
import { basename } from 'node:path';
import type { EventBook } from './event-book.ts';
import type { MadeSamples, SlowClip } from './make-samples.ts';
import type { ToldEvent } from './run-agent.ts';
import { samplePath } from './sample-types.ts';
import { writeSlowly } from './write-slowly.ts';

/** Read and write for the owner. */
const READABLE_MODE = 0o600;

/** Changes to the exports while the agent runs, as recorders and operators would make them. */
export interface Scenes {
  /** Resolves when all slowly written clips have their first bytes. */
  readonly begun: Promise<unknown>;
  /** Resolves when everything has happened; rejects when a file could not be written, or with the signal's reason. */
  readonly ended: Promise<unknown>;
  /** When the last bytes of slowly written clips were written, milliseconds since 1970, by name. */
  readonly wholeSince: ReadonlyMap<string, number>;
}

/** Starts the slowly written clips immediately; the rest follows the agent's events. */
export function playScenes(
  { slow, lockedAway }: MadeSamples,
  book: EventBook,
  say: (text: string) => void,
  signal: AbortSignal,
): Scenes {
  const wholeSince = new Map<string, number>();
  const agentLooks = book.until(() => true);
  const write = (clip: SlowClip, plan: { endAfter: Promise<unknown>; pauseUntil?: Promise<unknown> }) => {
    const { begun, ended } = writeSlowly({ ...clip, ...plan, signal });
    const told = ended.then((atMs) => {
      wholeSince.set(clip.name, atMs);
      say(`the recorder has finished ${basename(clip.name)}`);
    });
    return { begun, ended: told };
  };
  const paused = slow
    .filter((clip) => clip.pausing)
    .map((clip) => write(clip, { pauseUntil: untilHeld(clip, book, say), endAfter: agentLooks }));
  // These end last: as long as one file grows, a run with `--once` waits for the others.
  const endAfter = Promise.allSettled([agentLooks, ...paused.map(({ ended }) => ended)]);
  const steady = slow.filter((clip) => !clip.pausing).map((clip) => write(clip, { endAfter }));
  const writings = [...paused, ...steady];
  for (const [name, path] of lockedAway) void unlock(name, path, book, say);
  const ended = Promise.all(writings.map((writing) => writing.ended));
  // Whoever awaits it gets the rejection; when the demo is stopped nobody does.
  ended.catch(() => undefined);
  return { begun: Promise.all(writings.map(({ begun }) => begun)), ended, wholeSince };
}

async function untilHeld(clip: SlowClip, book: EventBook, say: (text: string) => void): Promise<void> {
  await book.until((event) => isAbout(event, clip.name) && event.event === 'file.held');
  say(`the recorder continues writing ${basename(clip.name)}`);
}

async function unlock(
  name: string,
  path: string,
  book: EventBook,
  say: (text: string) => void,
): Promise<void> {
  await book.until((event) => event.event === 'clip.retrying' && name.endsWith(`/${event.file}`));
  say(`an operator gives the agent permission to read ${basename(name)}`);
  await chmod(path, READABLE_MODE);
}

function isAbout(event: ToldEvent, name: string): boolean {
  return 'folder' in event && 'file' in event && samplePath(event.folder, event.file) === name;
}

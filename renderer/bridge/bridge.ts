import type { Failure } from '../../shared/domain/failure.ts';
import type { Caller } from '../../shared/ipc/caller.ts';
import type {
  DesktopEvent,
  DesktopCommandInput,
  DesktopCommandName,
  DesktopCommandOutput,
} from '../../shared/ipc/desktop.ts';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import type { Result } from '../../shared/lib/result.ts';

/** The way to the agent itself: without it nothing on the screen can be trusted to be current. */
export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly latencyMs: number | undefined }
  | { readonly kind: 'lost'; readonly sinceMs: number }
  | { readonly kind: 'refused' };

/** What only a desktop can do. Absent in a browser: what needs it is not shown there. */
export interface DesktopAbilities {
  /** Never rejects. */
  order<Name extends DesktopCommandName>(
    name: Name,
    input: DesktopCommandInput<Name>,
  ): Promise<Result<DesktopCommandOutput<Name>, Failure>>;
  /** Answers the function that unsubscribes. */
  onEvent(listener: (event: DesktopEvent) => void): () => void;
  /** Paths of dropped files and folders; what has none is left out. */
  pathsOf(files: readonly File[]): readonly string[];
}

/** What a person has to confirm in a tab that this page cannot reach, before the agent carries a call out. */
export interface OpenQuestion {
  readonly message: string;
  /** Address of that tab. */
  readonly address: string;
  /** Leaves the question; the call that waits fails with CANCELLED. */
  cancel(): void;
}

/** Everything that the pages have of the world outside. */
export interface Bridge {
  readonly caller: Caller;
  /** Answers the function that unsubscribes. */
  onSignal(listener: (signal: AgentSignal) => void): () => void;
  link(): Link;
  onLink(listener: () => void): () => void;
  /** The question that is open now; on a desktop the system's dialogs ask. */
  question(): OpenQuestion | undefined;
  onQuestion(listener: () => void): () => void;
  readonly desktop: DesktopAbilities | undefined;
  stop(): void;
}

/** Listeners, called in the order in which they were added. */
interface Listeners<News> {
  /** Answers the function that takes the listener away. */
  add(listener: (news: News) => void): () => void;
  tell(news: News): void;
}

/** Makes an empty list of listeners. */
export function createListeners<News>(): Listeners<News> {
  const listeners = new Set<(news: News) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(news) {
      for (const listener of listeners) listener(news);
    },
  };
}

/** The page's clock: what is shown as "now" and "since". Only this file reads it. */
export interface PageClock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Monotonic milliseconds. */
  monotonic(): number;
}

/** The browser's own clock. */
export const pageClock: PageClock = { now: () => Date.now(), monotonic: () => performance.now() };

import type { Caller } from '../../shared/ipc/caller.ts';
import type { AgentSignal } from '../../shared/ipc/events.ts';

/** The way to the agent itself: without it nothing on the screen can be trusted to be current. */
export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly latencyMs: number | undefined }
  | { readonly kind: 'lost'; readonly sinceMs: number }
  | { readonly kind: 'refused' };

/** What only a desktop can do. Absent in a browser: what needs it is not shown there. */
export interface DesktopAbilities {
  /** Shows a queued clip's file in the system's file manager. */
  revealClip(clipId: string): Promise<void>;
}

/** Everything that the pages have of the world outside. */
export interface Bridge {
  readonly caller: Caller;
  /** Answers the function that unsubscribes. */
  onSignal(listener: (signal: AgentSignal) => void): () => void;
  link(): Link;
  onLink(listener: () => void): () => void;
  readonly desktop: DesktopAbilities | undefined;
  stop(): void;
}

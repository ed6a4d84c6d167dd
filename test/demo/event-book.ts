import type { ToldEvent } from './run-agent.ts';

/** What the agent has told so far, and a way to wait for what it will tell. */
export interface EventBook {
  readonly events: readonly ToldEvent[];
  add(event: ToldEvent): void;
  /** Resolves with the event that `isMeant` first holds for; asked with each one from the first on. */
  until(isMeant: (event: ToldEvent) => boolean): Promise<ToldEvent>;
}

/** An empty book. */
export function createEventBook(): EventBook {
  const events: ToldEvent[] = [];
  const listeners = new Set<(event: ToldEvent) => void>();
  return {
    events,
    add(event) {
      events.push(event);
      for (const listener of [...listeners]) listener(event);
    },
    until(isMeant) {
      const earlier = events.find(isMeant);
      if (earlier !== undefined) return Promise.resolve(earlier);
      return new Promise((resolve) => {
        const listener = (event: ToldEvent): void => {
          if (!isMeant(event)) return;
          listeners.delete(listener);
          resolve(event);
        };
        listeners.add(listener);
      });
    },
  };
}

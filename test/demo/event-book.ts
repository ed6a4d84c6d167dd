import type { ToldEvent } from './run-agent.ts';

/** The agent's events so far, and a way to wait for later ones. */
export interface EventBook {
  readonly events: readonly ToldEvent[];
  add(event: ToldEvent): void;
  /** Resolves with the first event for which `isMeant` is true; earlier events are checked too. */
  until(isMeant: (event: ToldEvent) => boolean): Promise<ToldEvent>;
}

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

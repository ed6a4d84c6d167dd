import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AgentSignal } from '../../shared/ipc/events.ts';

type ProgressSignal = Extract<AgentSignal, { kind: 'progress' }>;

/** Bytes in transfer. Rows read only their own clip's number, so that lists do not render again for every change. */
export interface ProgressState {
  readonly bytesPerSecond: number;
  readonly bytesTotal: number;
  readonly bytesDone: number;
  readonly sentByClip: ReadonlyMap<string, number>;
  /** Speed of the last five minutes, bytes per second, one value per second, oldest first. */
  readonly history: readonly number[];
}
export type ProgressStore = StoreApi<ProgressState> & {
  readonly take: (signal: ProgressSignal, nowMs: number) => void;
  /** Clears the transfer: nothing is known to move any more. */
  readonly stand: () => void;
};

/** Seconds of speed kept for the graph. */
const HISTORY_LENGTH = 300;

/** Makes the store; `take` is fed from the bridge's signals. */
export function createProgressStore(): ProgressStore {
  const store = createStore<ProgressState>()(() => ({
    bytesPerSecond: 0,
    bytesTotal: 0,
    bytesDone: 0,
    sentByClip: new Map(),
    history: [],
  }));
  let lastSecond = 0;
  return {
    ...store,
    stand: () => store.setState({ bytesPerSecond: 0, bytesTotal: 0, bytesDone: 0, sentByClip: new Map() }),
    take({ bytesPerSecond, bytesTotal, bytesDone, clips }, nowMs) {
      const second = Math.floor(nowMs / 1000);
      const { history } = store.getState();
      // A pause in the signals is a pause in the transfer: the graph shows zeros for it
      const gap = lastSecond === 0 ? 1 : Math.min(second - lastSecond, HISTORY_LENGTH);
      const missed = Array.from({ length: Math.max(0, gap - 1) }, () => 0);
      const next = gap > 0 ? [...history, ...missed, bytesPerSecond].slice(-HISTORY_LENGTH) : history;
      lastSecond = second;
      store.setState({
        bytesPerSecond,
        bytesTotal,
        bytesDone,
        sentByClip: new Map(clips.map(({ id, bytesSent }) => [id, bytesSent])),
        history: next,
      });
    },
  };
}

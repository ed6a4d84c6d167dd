import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AgentSignal } from '../../shared/ipc/events.ts';

type ProgressSignal = Extract<AgentSignal, { kind: 'progress' }>;

/** Bytes on their way now. Rows read their own clip's number, so that a list is not drawn anew for each of them. */
export interface ProgressState {
  readonly bytesPerSecond: number;
  readonly bytesTotal: number;
  readonly bytesDone: number;
  readonly sentByClip: ReadonlyMap<string, number>;
  /** Speeds of the last minutes, bytes per second, oldest first, one a second. */
  readonly history: readonly number[];
}
export type ProgressStore = StoreApi<ProgressState> & {
  readonly take: (signal: ProgressSignal, nowMs: number) => void;
  /** Nothing is known to move any more. */
  readonly stand: () => void;
};

/** Seconds of speed that are kept for the graph. */
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
      // A pause of the signals is a pause of the bytes: the graph shows zeros for it
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

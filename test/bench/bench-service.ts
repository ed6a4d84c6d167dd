import { startSimulator, type Simulator } from '../simulator/index.ts';
import type { BenchStore } from './bench-store.ts';

/** The simulated service in front of the store; it reports the start of the first upload. */
export interface BenchService {
  readonly simulator: Simulator;
  /** Called at the first multipart upload or the first signed URL, before it is answered. */
  onFirstUpload(listener: () => void): void;
  refuseKey(): void;
  acceptKey(): void;
  stop(): Promise<void>;
}

/** Starts a service without any data. */
export async function startService(store: BenchStore): Promise<BenchService> {
  const backend = await store.openBackend();
  let listener: (() => void) | undefined;
  const began = (): void => {
    listener?.();
    listener = undefined;
  };
  const simulator = await startSimulator({
    storage: {
      ...backend,
      createUpload(key) {
        began();
        return backend.createUpload(key);
      },
      signPut(key) {
        began();
        return backend.signPut(key);
      },
    },
  });
  return {
    simulator,
    onFirstUpload(called) {
      listener = called;
    },
    refuseKey: () => simulator.setKeys([]),
    acceptKey: () => simulator.setKeys([{ key: simulator.apiKey, videoPermission: true }]),
    stop: () => simulator.stop(),
  };
}

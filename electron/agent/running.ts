import type { DeskId } from '../../shared/domain/ids.ts';
import type { WatchSettings } from '../../shared/domain/settings.ts';
import type { ServiceConnection } from './service/connect-service.ts';
import type { InstanceLock } from './store/instance-lock.ts';
import type { WriteDb } from './store/open-db.ts';
import type { Tables } from './store/tables.ts';
import type { Intake } from './intake/intake.ts';
import type { MediaProbe } from './files/containers/media-probe.ts';
import type { Clock } from './ports.ts';
import type { WatchedPath } from './calls/read-health.ts';
import type { Serving } from './serving.ts';
import type { RootGates } from './files/source-file.ts';
import type { Uploading } from './uploading.ts';
import type { WakeUp } from './wake-up.ts';
import { createRootGate, type RootGate } from './files/root-gate.ts';
import type { Watcher } from './watch/watch-types.ts';

/** Everything that runs, built in one visible order and stopped in reverse. */
export interface Running {
  readonly lock: InstanceLock;
  readonly db: WriteDb;
  readonly service: ServiceConnection;
  readonly tables: Tables;
  readonly intake: Intake;
  readonly probe: MediaProbe;
  readonly uploading: Uploading;
  readonly serving: Serving;
  readonly watchers: Watcher[];
  /** The watchers of the settings' roots, without those of pushed folders. */
  readonly watchedPaths: WatchedPath[];
  readonly gates: GateBook;
  readonly deskId: DeskId;
  readonly roots: readonly WatchedRoot[];
  readonly stopping: AbortController;
  readonly wakeUp: WakeUp;
}

/** A root of the settings; `realPath` is its place without links. */
export interface WatchedRoot {
  readonly settings: WatchSettings;
  readonly realPath: string;
}

/** The gates of all roots. */
export interface GateBook extends RootGates {
  closeAll(): void;
}

/** Makes the gates, one for each root when it is first asked for. */
export function createGateBook(clock: Clock): GateBook {
  const gates = new Map<string, RootGate>();
  return {
    of(rootPath) {
      const gate = gates.get(rootPath) ?? createRootGate({ clock, rootPath });
      gates.set(rootPath, gate);
      return gate;
    },
    closeAll() {
      for (const gate of gates.values()) gate.close();
    },
  };
}

import type { DeskId } from '../../../shared/domain/ids.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { keyMissing } from '../core/settings/missing-setup.ts';
import type { AuditTrail } from '../evidence/audit-trail.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { PushRequest, WatchedRoot } from '../files/watched-root.ts';
import type { Ports } from '../ports.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import type { ThumbnailJobs } from '../queue/thumbnail-jobs.ts';
import type { UploadCommands } from '../queue/upload-commands.ts';
import type { TeamService } from '../service/connect-service.ts';
import type { AgentConfig } from '../settings/agent-config.ts';
import type { WriteDb } from '../store/open-db.ts';
import type { Tables } from '../store/tables.ts';
import { createAgentHandlers } from './agent-handlers.ts';
import { announceOrders } from './announce-orders.ts';
import { auditCalls } from './audit-calls.ts';
import { createCallDesk, type CallDesk } from './call-desk.ts';
import type { Handlers } from './handler.ts';
import { createIncidentHandlers } from './incident-handlers.ts';
import type { HealthReader } from './read-health.ts';
import { createRpcServer } from './serve-rpc.ts';
import type { SignalSource } from './signals.ts';
import { createTeamHandlers } from './team-handlers.ts';
import { createUploadHandlers } from './upload-handlers.ts';
import type { UploadReads } from './upload-reads.ts';

interface Deps {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly signals: SignalSource;
  readonly db: WriteDb;
  readonly tables: Tables;
  readonly queue: IncidentQueue;
  readonly pictures: ThumbnailJobs;
  readonly gates: RootGates;
  readonly deskId: DeskId;
  readonly roots: readonly WatchedRoot[];
  readonly health: HealthReader;
  readonly trail: AuditTrail;
  readonly orders: UploadCommands;
  readonly reads: UploadReads;
  readonly team: TeamService;
  /** `Agent.push`. */
  readonly push: (requests: readonly PushRequest[]) => void;
  /** Jobs may have become due. */
  readonly wakeQueue: () => void;
  /** Nothing more can be asked of the service: what is under way goes back into the queue, which waits. */
  readonly stopUploads: (failure: Failure) => Promise<void>;
  /** The agent is to start again with other settings. */
  readonly applySettings: (settings: Settings) => void;
  /** Aborted when the agent stops. */
  readonly stopping: AbortSignal;
}

/** Everything that windows may ask: a call without a handler is a type error. */
export function createCalls(deps: Deps): CallDesk {
  const { config, ports, signals, trail, wakeQueue } = deps;
  const announce = (): void => {
    signals.changed('uploads');
    signals.changed('health');
  };
  const handlers: Handlers = {
    ...announceOrders(createUploadHandlers(deps), announce),
    ...createIncidentHandlers({
      ...deps,
      clock: ports.clock,
      dataDir: config.dataDir,
      onEdited() {
        wakeQueue();
        announce();
      },
    }),
    ...createTeamHandlers(deps.team),
    ...createAgentHandlers({
      ...deps,
      onSettingsSaved: () => signals.changed('settings'),
      onKeyForgotten: () => deps.stopUploads(keyMissing),
      onApplySettings: deps.applySettings,
    }),
  };
  return createCallDesk(createRpcServer(auditCalls(handlers, trail), ports));
}

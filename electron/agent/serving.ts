import type { CallReply } from '../../shared/ipc/envelope.ts';
import type { DeskId } from '../../shared/domain/ids.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { AgentConfig, PushRequest } from './agent.ts';
import type { ServiceConnection } from './service/connect-service.ts';
import { auditCalls } from './calls/audit-calls.ts';
import { createAuditTrail } from './evidence/audit-trail.ts';
import { keyMissing } from './core/settings/missing-setup.ts';
import { createHealthReads } from './store/health-reads.ts';
import type { WriteDb } from './store/open-db.ts';
import type { Tables } from './store/tables.ts';
import type { AgentEvent, AgentEvents } from './events.ts';
import type { IncidentQueue } from './queue/incident-jobs.ts';
import type { Ports } from './ports.ts';
import { createAgentHandlers } from './calls/agent-handlers.ts';
import { announceOrders } from './calls/announce-orders.ts';
import { createCallDesk } from './calls/call-desk.ts';
import type { Handlers } from './calls/handler.ts';
import { createIncidentHandlers } from './calls/incident-handlers.ts';
import { createHealthReader, type WatchedPath } from './calls/read-health.ts';
import { createRpcServer } from './calls/serve-rpc.ts';
import type { SignalSource } from './calls/signals.ts';
import { createTeamHandlers } from './calls/team-handlers.ts';
import { createUploadHandlers } from './calls/upload-handlers.ts';
import type { WatchedRoot } from './running.ts';
import type { PictureQueue } from './queue/thumbnail-jobs.ts';
import type { RootGates } from './files/source-file.ts';
import type { Uploading } from './uploading.ts';

interface Needs {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly events: AgentEvents;
  readonly signals: SignalSource;
  readonly db: WriteDb;
  readonly tables: Tables;
  readonly service: ServiceConnection;
  readonly uploading: Uploading;
  /** Filled while the agent starts. */
  readonly watchedPaths: readonly WatchedPath[];
  readonly queue: IncidentQueue;
  readonly pictures: PictureQueue;
  readonly gates: RootGates;
  readonly deskId: DeskId;
  readonly roots: readonly WatchedRoot[];
  readonly push: (requests: readonly PushRequest[]) => void;
  /** The agent is to start again with other settings. */
  readonly applySettings: (settings: Settings) => void;
  /** Aborted when the agent stops. */
  readonly stopping: AbortSignal;
}

/** The agent's side of the windows. */
export interface Serving {
  /** Never rejects. */
  call(request: unknown, signal: AbortSignal | undefined): Promise<CallReply>;
  /** Breaks off the calls that are under way. */
  breakOff(): void;
  /** Resolves when no call works on anything any more. */
  stop(): Promise<void>;
}

/** Everything from a request to what it works on, built in one visible order: a call without a handler is a type error. */
export function createServing(needs: Needs): Serving {
  const { config, ports, events, signals, tables, service, uploading } = needs;
  const health = createHealthReader({
    version: config.version,
    clock: ports.clock,
    events,
    tables,
    reads: createHealthReads(needs.db),
    lanes: uploading.lanes,
    serviceClock: service.clock,
    roots: needs.watchedPaths,
  });
  const trail = createAuditTrail({ rows: tables.audit, ...ports });
  const brokenAt = trail.findBreak();
  if (brokenAt !== undefined) events.emit(auditBroken(brokenAt));
  trail.note('agent.started', { version: config.version });
  const announce = (): void => {
    signals.changed('uploads');
    signals.changed('health');
  };
  const handlers: Handlers = {
    ...announceOrders(createUploadHandlers(uploading), announce),
    ...createIncidentHandlers({
      ...needs,
      clock: ports.clock,
      dataDir: config.dataDir,
      onEdited() {
        uploading.runner.wake();
        announce();
      },
    }),
    ...createTeamHandlers(service.team),
    ...createAgentHandlers({
      config,
      ports,
      health,
      trail,
      reads: uploading.reads,
      onSettingsSaved: () => signals.changed('settings'),
      onKeyForgotten: () => uploading.stopFor(keyMissing),
      onApplySettings: needs.applySettings,
    }),
  };
  const desk = createCallDesk(createRpcServer(auditCalls(handlers, trail), ports));
  const unsubscribe = uploading.meter.onSent(() => signals.moved());
  return {
    call: desk.call,
    breakOff: desk.breakOff,
    async stop() {
      unsubscribe();
      await desk.settled();
      health.stop();
    },
  };
}

const auditBroken = (row: number): AgentEvent => ({
  event: 'warning',
  code: 'AUDIT_BROKEN',
  message: `The audit trail of this desk is not as it was written, from row ${row} on: somebody changed the queue database. Uploads go on; the diagnostics in Health show the trail.`,
});

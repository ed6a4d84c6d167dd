export { startSimulator } from './start-simulator.ts';
export type { Simulator, SimulatorOptions } from './simulator.ts';
export type { FaultBook, FaultState } from './faults/fault-book.ts';
export type { FaultAction, FaultMatch, FaultRule } from './faults/fault-rule.ts';
export type { Hold } from './faults/holds.ts';
export type { Call } from './calls.ts';
export { processingFailure } from './faults/ready-rules.ts';
export type { LoggedRequest, RequestFilter, RequestLog } from './request-log.ts';
export type { IncidentPut, StoredIncident, StoredVideo } from './service/incident-store.ts';
export type { KeyPlacement, KnownKey, SimulatorSettings } from './settings.ts';
export type { OpenUpload, StorageBackend, StoredObject } from './storage/backend.ts';
export type { StoredMessage } from './team/message-store.ts';
export type {
  DeviceUser,
  ListedAction,
  PhoneUser,
  ServiceAction,
  ServiceChannel,
  ServicePeriod,
  ServiceUser,
  TeamData,
} from './team/team.ts';
export type { Invitation } from './team/user-store.ts';

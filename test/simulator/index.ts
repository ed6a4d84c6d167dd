export { startSimulator } from './start-simulator.ts';
export type { Simulator, SimulatorOptions } from './simulator.ts';
export type { FaultBook, FaultState } from './faults/fault-book.ts';
export type { FaultAction, FaultMatch, FaultRule } from './faults/fault-rule.ts';
export type { Hold } from './faults/holds.ts';
export type { Call, LoggedRequest, RequestFilter, RequestLog } from './request-log.ts';
export type { IncidentPut, StoredIncident, StoredVideo } from './service/incident-store.ts';
export type { KeyPlacement, KnownKey, SimulatorSettings } from './settings.ts';
export type { OpenUpload, StorageBackend, StoredObject } from './storage/backend.ts';

export { connectTeam, type TeamConnection } from './service/connect-service.ts';
export { checkConnection } from './service/check-connection.ts';
export { trustSystemCertificates } from './service/proxy-route.ts';
export { createAgent } from './create-agent.ts';
export { defaultConfigFile, defaultDataDir, type Places } from './settings/load-settings.ts';
export { proxySecrets, proxyVariables, type ProxyVariables } from './core/settings/choose-proxy.ts';
export { createKeyFileStore } from './evidence/desk-keys.ts';
export { createSystemLog } from './evidence/system-log.ts';
export { createKeyFileSecrets } from './settings/key-file.ts';
export { tryWorkers } from './try-workers.ts';
export { forbidCoreDumps, harden, refuseDebugger } from './harden.ts';
export { loadSettings, loadSettingsOrDefaults, type LoadedSettings } from './settings/load-settings.ts';
export type { Policy, UpdatePolicy } from './settings/policy/policy.ts';
export { OWNER_ONLY, replaceFile } from './settings/guarded-path.ts';
export { systemCode } from './settings/file-advice.ts';
export { removeLeftovers } from './settings/store-key.ts';
export { loadDeskId } from './store/desk-id.ts';
export { readDeskPolicy } from './follow-policy.ts';
export { isSignedBy } from './settings/policy/signed-policy.ts';
export { createLogger, type LogLevel } from './log/create-logger.ts';
export { createSecretRegister, registerSecrets, type SecretRegister } from './log/secret-register.ts';
export { noProgress } from './agent.ts';
export { confirmationOf, needsFacts, type Confirmation } from './calls/confirmations.ts';
export { readStatus, readSummary } from './calls/read-status.ts';
export { explainForDesk } from './intake/explain-folder.ts';
export { answerStoredRoot } from './intake/check-root.ts';
export { leaveOutClips, retryClips } from './queue/retry-clips.ts';
export { createSystemClock, settleTimeZone } from './system-clock.ts';
export { enlargeThreadPool } from './files/own-threads.ts';
export { statOnDisk } from './files/plain-fs.ts';
export type { Agent, Progress } from './agent.ts';
export type { PushRequest } from './files/watched-root.ts';
export type { AgentConfig } from './settings/load-settings.ts';
export type { AgentEvent } from './events.ts';
export type {
  ClipSource,
  Clock,
  KeptKey,
  KeyKeeper,
  Logger,
  Ports,
  Secrets,
  SigningKeyStore,
  ThumbnailMaker,
} from './ports.ts';

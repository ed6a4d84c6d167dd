export { connectTeam, type TeamConnection } from './api/connect-team.ts';
export { checkConnection } from './api/check-connection.ts';
export { trustSystemCertificates } from './api/trust-system-certificates.ts';
export { createAgent } from './create-agent.ts';
export { defaultDataDir, locateConfig, type Places } from './config/default-places.ts';
export { proxySecrets, proxyVariables, type ProxyVariables } from './core/choose-proxy.ts';
export { createKeyFileSecrets } from './config/key-file.ts';
export { forbidCoreDumps } from './forbid-core-dumps.ts';
export { harden } from './harden.ts';
export { loadSettings, loadSettingsOrDefaults, type LoadedSettings } from './config/load-settings.ts';
export type { Policy, UpdatePolicy } from './config/policy/policy.ts';
export { readPolicy } from './config/policy/read-policy.ts';
export { createLogger, type LogLevel } from './log/create-logger.ts';
export { createSecretRegister, registerSecrets, type SecretRegister } from './log/secret-register.ts';
export { noProgress } from './progress.ts';
export { readStatus } from './views/read-status.ts';
export { retryClips } from './jobs/retry-clips.ts';
export { createSystemClock } from './system-clock.ts';
export { enlargeThreadPool } from './watch/enlarge-thread-pool.ts';
export type { Agent, AgentConfig, Progress, PushRequest } from './agent.ts';
export type { AgentEvent } from './events.ts';
export type {
  ClipSource,
  Clock,
  KeptKey,
  KeyKeeper,
  Logger,
  Ports,
  Secrets,
  ThumbnailMaker,
} from './ports.ts';

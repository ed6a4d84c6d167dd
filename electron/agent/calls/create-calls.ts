/**
 * What the windows may ask of the agent. Each call of the contract stands in the file of its subject: who answers it,
 * what the audit trail notes of it and what it changes, side by side (call.ts). The registry checks what comes in and
 * what goes out; signals.ts says which subjects are to be read again.
 */
import type { AuditTrail } from '../evidence/audit-trail.ts';
import type { TeamService } from '../service/connect-service.ts';
import { createSettingsFile } from '../settings/settings-file.ts';
import { type CallRegistry, createCallRegistry } from './call-registry.ts';
import { createHealthCalls } from './health.ts';
import { createIncidentCalls } from './incidents.ts';
import { createKeyCalls, createKeyFileInUse } from './keys.ts';
import { createNameCalls } from './names.ts';
import { createSettingsCalls } from './settings.ts';
import type { SignalHub } from './signals.ts';
import { createTeamCalls } from './team.ts';
import { createUploadCalls } from './uploads.ts';

/** What the subjects need together; each says it in its own file. */
type SubjectDeps = Parameters<typeof createUploadCalls>[0] &
  Parameters<typeof createIncidentCalls>[0] &
  Parameters<typeof createSettingsCalls>[0] &
  Parameters<typeof createKeyCalls>[0] &
  Parameters<typeof createHealthCalls>[0];

interface Deps extends Omit<SubjectDeps, 'clock' | 'dataDir' | 'file' | 'keyFile'> {
  readonly signals: Pick<SignalHub, 'changed'>;
  readonly team: TeamService;
  readonly trail: AuditTrail;
}

/** Makes the registry of all calls: one that is left out is a type error. */
export function createCalls(deps: Deps): CallRegistry {
  const { config, ports, signals, team, trail } = deps;
  const { settingsFile } = config;
  const file = settingsFile === undefined ? undefined : createSettingsFile(settingsFile, config);
  const keyFile = createKeyFileInUse(config.settings.apiKeyFile, ports.secrets);
  const all = { ...deps, clock: ports.clock, dataDir: config.dataDir, file, keyFile };
  return createCallRegistry(
    {
      ...createUploadCalls(all),
      ...createIncidentCalls(all),
      ...createTeamCalls(team),
      ...createSettingsCalls(all),
      ...createKeyCalls(all),
      ...createNameCalls(),
      ...createHealthCalls(all),
    },
    { logger: ports.logger, trail, signals },
  );
}

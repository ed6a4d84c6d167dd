import type { Settings } from '../../../shared/domain/settings.ts';
import type { agentCalls } from '../../../shared/ipc/calls/settings.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { AgentConfig } from '../settings/agent-config.ts';
import type { AuditTrail } from '../evidence/audit-trail.ts';
import { checkConnection } from '../service/check-connection.ts';
import { createSettingsFile } from '../settings/settings-file.ts';
import type { Ports } from '../ports.ts';
import type { UploadReads } from './upload-reads.ts';
import type { Handlers } from './call.ts';
import type { HealthReader } from './read-health.ts';
import { createKeyFileInUse } from './key-file-in-use.ts';
import { createSettingsHandlers } from './settings.ts';
import { createSetupHandlers } from './health.ts';

interface Parts {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly health: HealthReader;
  readonly trail: Pick<AuditTrail, 'lines'>;
  readonly reads: UploadReads;
  readonly onSettingsSaved: () => void;
  readonly onKeyForgotten: () => Promise<void>;
  readonly onApplySettings: (settings: Settings) => void;
}

/** What is about the agent itself. */
export function createAgentHandlers({
  config,
  ports,
  health,
  trail,
  reads,
  onSettingsSaved,
  onKeyForgotten,
  onApplySettings,
}: Parts): Handlers<keyof typeof agentCalls> {
  const { settingsFile } = config;
  const file = settingsFile === undefined ? undefined : createSettingsFile(settingsFile, config);
  const keyFile = createKeyFileInUse(config.settings.apiKeyFile, ports.secrets);
  return {
    ...createSetupHandlers({
      config,
      ports,
      health,
      trail,
      reads,
      file,
      keyFile,
      onSettingsSaved,
      onKeyForgotten,
    }),
    ...createSettingsHandlers({
      config,
      file,
      keyFile,
      clock: ports.clock,
      onSaved: onSettingsSaved,
      onApply: onApplySettings,
    }),
    'connection.check': async (_, signal) => ok({ lines: await checkConnection(config, ports, signal) }),
    'health.get': () => ok(health.read()),
  };
}

import type { Settings } from '../../../shared/domain/settings.ts';
import type { agentCalls } from '../../../shared/ipc/calls/agent.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { AgentConfig } from '../agent.ts';
import { checkConnection } from '../api/check-connection.ts';
import type { Ports } from '../ports.ts';
import type { UploadReads } from '../views/upload-reads.ts';
import type { Handlers } from './handler.ts';
import type { HealthReader } from './read-health.ts';
import { createSettingsHandlers } from './settings-handlers.ts';
import { createSetupHandlers } from './setup-handlers.ts';

interface Parts {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly health: HealthReader;
  readonly reads: UploadReads;
  readonly onSettingsSaved: () => void;
  readonly onApplySettings: (settings: Settings) => void;
}

/** What is about the agent itself. */
export function createAgentHandlers({
  config,
  ports,
  health,
  reads,
  onSettingsSaved,
  onApplySettings,
}: Parts): Handlers<keyof typeof agentCalls> {
  return {
    ...createSetupHandlers({ config, ports, health, reads, onSettingsSaved }),
    ...createSettingsHandlers({
      config,
      clock: ports.clock,
      onSaved: onSettingsSaved,
      onApply: onApplySettings,
    }),
    'connection.check': async (_, signal) => ok({ lines: await checkConnection(config, ports, signal) }),
    'health.get': () => ok(health.read()),
  };
}

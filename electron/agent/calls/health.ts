import type { setupCalls } from '../../../shared/ipc/calls/health.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { AgentConfig } from '../settings/agent-config.ts';
import type { AuditTrail } from '../evidence/audit-trail.ts';
import { checkConnection } from '../service/check-connection.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { recentLines } from '../log/recent-log.ts';
import type { Ports } from '../ports.ts';
import { troubleLines } from './problem-lines.ts';
import type { UploadReads } from './upload-reads.ts';
import type { Handlers } from './call.ts';
import type { KeyFileInUse } from './key-file-in-use.ts';
import { createKeyHandlers, readKeyState } from './keys.ts';
import { makeBundle } from './diagnostics-bundle.ts';
import { createNameHandlers } from './names.ts';
import type { HealthReader } from './read-health.ts';

interface Parts {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly health: HealthReader;
  readonly trail: Pick<AuditTrail, 'lines'>;
  readonly file: SettingsFile | undefined;
  readonly keyFile: KeyFileInUse;
  readonly reads: UploadReads;
  readonly onSettingsSaved: () => void;
  readonly onKeyForgotten: () => Promise<void>;
}

/** What sets an agent up and finds out what is wrong with it. */
export function createSetupHandlers({
  config,
  ports,
  health,
  trail,
  file,
  keyFile,
  reads,
  onSettingsSaved,
  onKeyForgotten,
}: Parts): Handlers<keyof typeof setupCalls> {
  const { secrets, logger } = ports;
  return {
    ...createKeyHandlers({
      file,
      keyFile,
      ports,
      onSaved: onSettingsSaved,
      onForgotten: onKeyForgotten,
    }),
    ...createNameHandlers(),
    'health.log': () => ok(recentLines(logger)),
    'health.bundle': async (_, signal) => {
      const { apiKeyFile, proxyCredentialsFile, ...settings } = config.settings;
      const files = await makeBundle(
        {
          health: health.read(),
          settings: {
            ...settings,
            namesKeyFile: apiKeyFile !== undefined,
            namesProxyCredentials: proxyCredentialsFile !== undefined,
          },
          key: await readKeyState(secrets, keyFile.path()),
          checks: await checkConnection(config, ports, signal),
          log: recentLines(logger).lines,
          uploads: troubleLines(reads),
          audit: trail.lines(),
        },
        secrets,
      );
      return ok({ files });
    },
  };
}

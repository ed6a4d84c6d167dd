import { isDeepStrictEqual } from 'node:util';
import { type Failure, failuresInOne } from '../../../shared/domain/failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { SettingsChange, SettingsView } from '../../../shared/ipc/calls/settings.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { inspectRoots } from '../files/watched-root.ts';
import type { Clock, Secrets } from '../ports.ts';
import type { AgentConfig, LoadedSettings } from '../settings/load-settings.ts';
import { pathsFrom } from '../settings/policy/policy.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { Calls } from './call.ts';
import { bindKey, type KeyFileInUse } from './keys.ts';

interface Deps {
  readonly config: AgentConfig;
  /** Undefined when the settings come from no file. */
  readonly file: SettingsFile | undefined;
  readonly keyFile: Pick<KeyFileInUse, 'path'>;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'apiKey' | 'origins'>;
  /** Restarts the agent with these settings. */
  readonly applySettings: (settings: Settings) => void;
}

/**
 * Creates the calls. They return the settings in the file; the running agent has older ones if the file was changed
 * since its start.
 */
export function createSettingsCalls({
  config,
  file,
  keyFile,
  clock,
  secrets,
  applySettings,
}: Deps): Calls<'settings.get' | 'settings.save' | 'settings.apply'> {
  /** A key file that was stored since the start is already in use. */
  const inForce = (): Settings => ({
    ...config.settings,
    ...knownFields<Pick<Settings, 'apiKeyFile'>>({ apiKeyFile: keyFile.path() }),
  });
  const viewOf = (settings: Settings, managed: readonly string[]): SettingsView => ({
    settings: withoutKeyFile(settings),
    needsRestart: !isDeepStrictEqual(settings, inForce()),
    ...knownFields<Pick<SettingsView, 'file'>>({ file: config.settingsFile }),
    ...(managed.length > 0 && { managed }),
    ...(config.isDemo === true && { isDemo: true }),
  });
  const answer = (loaded: Result<LoadedSettings, readonly Failure[]>): Result<SettingsView, Failure> =>
    loaded.ok
      ? ok(viewOf(loaded.value.settings, pathsFrom(loaded.value.origins, 'managed')))
      : err(failuresInOne(loaded.error));

  return {
    'settings.get': {
      handle: async () => (file === undefined ? ok(viewOf(config.settings, [])) : answer(await file.load())),
    },
    'settings.save': {
      async handle({ change, before: seen }) {
        if (file === undefined) return err(noFile);
        // An unsuitable folder would prevent the agent from restarting
        const check = ({ settings }: LoadedSettings): Promise<readonly Failure[]> =>
          change.watch === undefined ? Promise.resolve([]) : rootProblems(settings, config.dataDir, clock);
        const before = await file.load();
        if (seen !== undefined && before.ok && !isAsSeen(seen, before.value.settings))
          return err(changedElsewhere);
        const saved = await file.save(change, check);
        const baseUrl = saved.ok ? saved.value.settings.baseUrl : undefined;
        // The window asks for confirmation before it forwards such a change; an edited file confirms nothing
        if (change.baseUrl !== undefined && before.ok && before.value.settings.baseUrl !== baseUrl)
          await bindKey(secrets, baseUrl);
        return answer(saved);
      },
      audit: { asked: ({ change }) => ({ fields: Object.keys(change), service: hostOf(change.baseUrl) }) },
      changes: ['settings'],
    },
    'settings.apply': {
      async handle() {
        if (file === undefined) return err(noFile);
        const loaded = await file.load();
        if (!loaded.ok) return err(failuresInOne(loaded.error));
        applySettings(loaded.value.settings);
        return ok({});
      },
      audit: {},
    },
  };
}

/** Whether these sections still have the values that a page showed. */
function isAsSeen(seen: SettingsChange, settings: Settings): boolean {
  const now = new Map<string, unknown>(Object.entries(settings));
  return Object.entries(seen).every(
    ([section, value]) => JSON.stringify(value) === JSON.stringify(now.get(section)),
  );
}

const changedElsewhere: Failure = {
  code: 'CHANGED_ELSEWHERE',
  message: 'The settings were changed elsewhere in the meantime, so yours were not saved.',
  advice: 'Discard your changes, which shows the new settings, and make them again.',
  retryable: false,
};

/** Fields are listed one by one: anything not listed here is not sent to a page. */
function withoutKeyFile(settings: Settings): SettingsView['settings'] {
  const {
    baseUrl,
    auth,
    proxy,
    siteId,
    watch,
    patterns,
    cameras,
    upload,
    incident,
    evidence,
    retention,
    users,
  } = settings;
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    auth,
    proxy,
    siteId,
    watch,
    patterns,
    cameras,
    upload,
    incident,
    evidence,
    retention,
    users,
  };
}

/** Where key and clips are sent from then on; only the host and port of an address. */
const hostOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : (URL.parse(address)?.host ?? 'unreadable');

async function rootProblems({ watch }: Settings, dataDir: string, clock: Clock): Promise<readonly Failure[]> {
  const paths = watch.map(({ path }) => path);
  const roots = await inspectRoots(paths, dataDir, clock);
  return roots.flatMap((root, index) =>
    root.ok ? [] : [{ ...root.error, fields: [{ name: `watch[${index}].path`, text: root.error.message }] }],
  );
}

const noFile: Failure = {
  code: 'CONFIG_MISSING',
  message: 'These settings do not come from a file, so they cannot be saved.',
  advice: 'Change them in the command or service that starts the agent.',
  retryable: false,
};

import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  createKeyFileSecrets,
  createKeyFileStore,
  createSystemLog,
  createLogger,
  createSecretRegister,
  createSystemClock,
  proxySecrets,
  registerSecrets,
  type Ports,
  type ProxyVariables,
} from '../agent/index.ts';
import type { AppPlaces } from './app-places.ts';
import type { ElectronApi } from './electron-api.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createSigningKeyStore } from './keys/signing-key.ts';
import type { KeyKeeper, Secrets } from '../agent/index.ts';

/** The real clock, the log, and the key of this account. `write` gets each line of the log, redacted. */
export function createHostPorts(
  { safeStorage }: Pick<ElectronApi, 'safeStorage'>,
  places: Pick<AppPlaces, 'userData' | 'dataDir'>,
  proxyVariables: ProxyVariables,
  write: (line: string) => void,
): Ports {
  const clock = createSystemClock();
  const register = createSecretRegister();
  for (const secret of proxySecrets(proxyVariables)) register.add(secret);
  const rules = () => ({ secrets: register.forms(), homeDir: homedir() });
  const logger = createLogger({ level: 'info', format: 'json', write, clock, rules });
  const userId = process.getuid?.();
  const keyFile = createKeyFileSecrets({
    ...(userId !== undefined && { userId }),
    originFile: join(places.userData, 'key-origins.json'),
  });
  const { platform } = process;
  const store = { safeStorage, platform, clock, logger, register: register.add };
  const keyStore = createKeyStore({ ...store, file: join(places.userData, 'key.json') });
  const signingKey = createSigningKeyStore({
    keyStore: createKeyStore({ ...store, file: join(places.userData, 'desk-key.json') }),
    file: createKeyFileStore(places.dataDir),
  });
  const secrets = createDesktopSecrets({ keyFile: registerSecrets(keyFile, register), keyStore });
  return { clock, logger, secrets, signingKey, systemLog: createSystemLog({ platform, userId }) };
}

interface SecretDeps {
  /** The key file that the settings name; fleets are managed by one. */
  readonly keyFile: Secrets;
  readonly keyStore: Required<Pick<Secrets, 'apiKey' | 'keeper'>>;
}

/** The key of the desktop app: a key file that is named in the settings wins over the key store of the account. */
export function createDesktopSecrets({
  keyFile,
  keyStore,
}: SecretDeps): Secrets & { readonly keeper: KeyKeeper } {
  let isFileNamed = false;
  const { proxyCredentials, origins } = keyFile;
  return {
    apiKey: () => (isFileNamed ? keyFile.apiKey() : keyStore.apiKey()),
    useFile(apiKeyFile) {
      isFileNamed = apiKeyFile !== undefined;
      keyFile.useFile?.(apiKeyFile);
    },
    ...(proxyCredentials !== undefined && { proxyCredentials }),
    ...(origins !== undefined && { origins }),
    keeper: keyStore.keeper,
  };
}

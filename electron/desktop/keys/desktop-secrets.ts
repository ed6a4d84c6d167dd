import type { KeyKeeper, Secrets } from '../../agent/index.ts';

interface Deps {
  /** The key file that the settings name; fleets are managed by one. */
  readonly keyFile: Secrets;
  readonly keyStore: Required<Pick<Secrets, 'apiKey' | 'keeper'>>;
}

/** The key of the desktop app: a key file that is named in the settings wins over the key store of the account. */
export function createDesktopSecrets({ keyFile, keyStore }: Deps): Secrets & { readonly keeper: KeyKeeper } {
  let isFileNamed = false;
  const { proxyCredentials } = keyFile;
  return {
    apiKey: () => (isFileNamed ? keyFile.apiKey() : keyStore.apiKey()),
    useFile(apiKeyFile) {
      isFileNamed = apiKeyFile !== undefined;
      keyFile.useFile?.(apiKeyFile);
    },
    ...(proxyCredentials !== undefined && { proxyCredentials }),
    keeper: keyStore.keeper,
  };
}

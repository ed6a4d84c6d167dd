import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import { err } from '../../../shared/lib/result.ts';
import type { Secrets, SigningKeyStore } from '../../agent/index.ts';

interface Deps {
  /** Encrypted by the system, as the API key is. */
  readonly keyStore: Required<Pick<Secrets, 'apiKey' | 'keeper'>>;
  /** For desktops whose system has nothing that may be trusted. */
  readonly file: SigningKeyStore;
}

/**
 * The key that the desk signs with, in the key store of this account; where there is none, in a file that only this
 * account may read. A key that the key store has and does not hand out is never replaced.
 */
export function createSigningKeyStore({ keyStore, file }: Deps): SigningKeyStore {
  const hasStore = async (): Promise<boolean> => (await keyStore.keeper.describe()).keptIn === 'keyStore';
  return {
    async load() {
      try {
        return (await keyStore.apiKey()) ?? ((await hasStore()) ? undefined : await file.load());
      } catch (error) {
        if (error instanceof FailureError) throw new FailureError(locked(error.failure), { cause: error });
        throw error;
      }
    },
    async store(key) {
      if (!(await hasStore())) return file.store(key);
      const stored = await keyStore.keeper.store(key);
      return stored.ok ? stored : err(locked(stored.error));
    },
    keptIn: async () => ((await hasStore()) ? 'keyStore' : 'file'),
  };
}

const locked = ({ code, detail }: Failure): Failure => ({
  code,
  message: "The desk's signing key cannot be used: the key store of this account is locked or refused it.",
  advice: 'Unlock the key store and open the app again. Uploads go on; custody packs wait for the key.',
  retryable: true,
  ...(detail !== undefined && { detail }),
});

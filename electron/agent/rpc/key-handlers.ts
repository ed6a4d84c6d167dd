import { createHash } from 'node:crypto';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { KeyState } from '../../../shared/ipc/calls/setup.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import type { AgentConfig } from '../agent.ts';
import { storeKey } from '../config/store-key.ts';
import type { Secrets } from '../ports.ts';
import type { Handlers } from './handler.ts';

/** Digits of the fingerprint that are shown: enough to tell keys apart, too few to find one. */
const FINGERPRINT_LENGTH = 8;

interface Parts {
  readonly config: AgentConfig;
  readonly secrets: Secrets;
  /** The file says something else now. */
  readonly onSaved: () => void;
}

/** Takes a key and tells which one is in use; no answer ever holds one. */
export function createKeyHandlers({
  config,
  secrets,
  onSaved,
}: Parts): Handlers<'settings.key' | 'settings.setKey'> {
  const { settingsFile } = config;
  /** The agent looks where it was told at its start. */
  let needsRestart = false;
  return {
    'settings.key': async () => ok(await readKeyState(secrets, needsRestart)),
    'settings.setKey': async ({ key }) => {
      if (settingsFile === undefined) return err(noFile);
      const stored = await storeKey(settingsFile, key);
      if (!stored.ok) return stored;
      needsRestart = stored.value !== config.settings.apiKeyFile;
      onSaved();
      return ok(needsRestart ? keyState(key.trim(), true) : await readKeyState(secrets, false));
    },
  };
}

/** How the key is that the agent would use now. */
export async function readKeyState(secrets: Secrets, needsRestart: boolean): Promise<KeyState> {
  try {
    const key = await secrets.apiKey();
    return key === undefined ? { isSet: false, needsRestart } : keyState(key, needsRestart);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    // A named file that is not there yet is no fault of anyone
    if (error.failure.code === 'KEY_MISSING') return { isSet: false, needsRestart };
    return { isSet: false, needsRestart, failure: error.failure };
  }
}

function keyState(key: string, needsRestart: boolean): KeyState {
  const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, FINGERPRINT_LENGTH);
  return { isSet: true, fingerprint, needsRestart };
}

const noFile: Failure = {
  code: 'CONFIG_MISSING',
  message: 'These settings come from no file, so a key cannot be stored beside them.',
  advice: 'Give the agent its key where it is started.',
  retryable: false,
};

import { dirname, join } from 'node:path';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import { parseKey } from '../core/settings/parse-key.ts';
import { areCredentials } from '../core/settings/choose-proxy.ts';
import type { Secrets } from '../ports.ts';
import { readGuardedFile, type Guard, type GuardedFileWords } from './guarded-file.ts';

/** Where the headless host finds the key. Never the command line and never an environment variable. */
export interface KeyPlaces {
  /** `apiKeyFile` of the settings, absolute. */
  readonly apiKeyPath?: string;
  /** The folder in which systemd puts credentials (`LoadCredential=api-key:...`). */
  readonly credentialsDirectory?: string;
  /** Numeric id of the account that runs this program; undefined on Windows, which has no modes. */
  readonly userId?: number;
}

/** Name of the credential in a credentials directory. */
const CREDENTIAL_NAME = 'api-key';

/** Secrets of the headless host: the file is read at each question, so that a replaced key counts at once. */
export function createKeyFileSecrets({ apiKeyPath: firstPath, ...others }: KeyPlaces): Secrets {
  let apiKeyPath = firstPath;
  return {
    apiKey: () => readApiKey({ ...others, ...(apiKeyPath !== undefined && { apiKeyPath }) }),
    useFile: (file) => {
      apiKeyPath = file;
    },
    proxyCredentials: (file) => readProxyCredentials(file, others),
  };
}

async function readApiKey(places: KeyPlaces): Promise<string | undefined> {
  const { apiKeyPath, userId, credentialsDirectory } = places;
  if (apiKeyPath !== undefined) return readKey(apiKeyPath, { userId });
  if (credentialsDirectory === undefined) return undefined;
  // The service manager owns these files and guards their folder: neither owner nor mode says anything here.
  return readKey(join(credentialsDirectory, CREDENTIAL_NAME), { userId: undefined });
}

async function readKey(file: string, guard: Guard): Promise<string> {
  const text = await readGuardedFile(file, guard, keyWords);
  const key = parseKey(text);
  if (key.ok) return key.value;
  throw new FailureError({ ...key.error, message: `${key.error.message} The file is ${file}.` });
}

async function readProxyCredentials(
  file: string,
  { userId, credentialsDirectory }: KeyPlaces,
): Promise<string> {
  const isCredential = credentialsDirectory !== undefined && dirname(file) === credentialsDirectory;
  const text = await readGuardedFile(file, { userId: isCredential ? undefined : userId }, proxyWords);
  const credentials = text.replace(/^\uFEFF/, '').trim();
  if (areCredentials(credentials)) return credentials;
  throw new FailureError({
    code: 'PROXY_AUTH',
    message: `The file for the proxy ${file} does not hold one line with name:password.`,
    advice: PROXY_ADVICE,
    retryable: false,
  });
}

const PROXY_ADVICE =
  'Put name:password, and nothing else, into an ordinary file that belongs to the account running this program, with mode 0600 (chmod 600 FILE).';

const keyWords: GuardedFileWords = {
  name: 'The key file',
  kind: 'key file',
  codes: { missing: 'KEY_MISSING', open: 'KEY_FILE_OPEN' },
  advice:
    'Put the key, and nothing else, into an ordinary file that belongs to the account running this program, with mode 0600 (chmod 600 FILE).',
};

const proxyWords: GuardedFileWords = {
  name: 'The file for the proxy',
  kind: 'file for the proxy',
  codes: { missing: 'PROXY_AUTH', open: 'PROXY_AUTH' },
  advice: PROXY_ADVICE,
};

import type { Failure } from '../../../shared/domain/failure.ts';

const keyStore = (message: string, advice: string, retryable = false): Failure => ({
  code: 'KEY_STORE',
  message,
  advice,
  retryable,
});

/** What encrypted the key is not there, or is one that cannot be trusted. */
export function storeAway(backend: string): Failure {
  return keyStore(
    `The API key was encrypted by the key store of this account (${backend}), which is not available now.`,
    'Unlock or start the key store and open the app again, or enter the key again: it is then kept until the app ends.',
    true,
  );
}

/** Another key store is in use than the one that encrypted the key. */
export function otherStore(keeperName: string): Failure {
  return keyStore(
    `This account uses another key store than the one that encrypted the API key; it is ${keeperName} now.`,
    'Enter the API key again in Settings.',
  );
}

/** The system does not decrypt what it encrypted: a refused question, another account, a damaged file. */
export function cannotDecrypt(keeperName: string): Failure {
  return keyStore(
    `The stored API key cannot be decrypted by ${keeperName}.`,
    'Allow the app to use the key store when the system asks, or enter the API key again in Settings.',
    true,
  );
}

/** The key could not be encrypted or written. */
export function cannotEncrypt(): Failure {
  return keyStore(
    'The API key could not be stored: the key store of this account or its disk refused it.',
    'Check that the key store is unlocked and the disk is not full, and enter the key again.',
    true,
  );
}

/** The file of the encrypted key could not be deleted. */
export function cannotDelete(file: string): Failure {
  return keyStore(
    `The stored API key could not be deleted; it is no longer used. Its file is ${file}.`,
    'Delete the file by hand.',
    true,
  );
}

import type { Failure } from '../../../../shared/domain/failure.ts';

/** No call can be made, because nobody said yet of which service. */
export const notSetUp: Failure = {
  code: 'NOT_SET_UP',
  message: 'This desk has no service yet.',
  advice:
    'Give the address of the service and its key: on the first screen, in Settings, or as baseUrl and apiKeyFile in the configuration.',
  retryable: false,
};

/** No call can be made without a key; it may be stored while the queue waits. */
export const keyMissing: Failure = {
  code: 'KEY_MISSING',
  message: 'No API key is stored.',
  advice: 'Store the key in Settings, or put it into the file that apiKeyFile names (mode 0600).',
  retryable: true,
};

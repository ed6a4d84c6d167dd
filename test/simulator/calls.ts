/** The calls of the service (service.md endpoints 1 to 15) and of storage. */
export const knownCalls = [
  'createMultipartUpload',
  'getUploadUrls',
  'completeMultipartUpload',
  'abortMultipartUpload',
  'getIncident',
  'putIncident',
  'getPeriods',
  'getActions',
  'addChannelMessage',
  'addDirectMessage',
  'getUsers',
  'createUser',
  'getUser',
  'updateUser',
  'deleteUser',
  'putObject',
  'putPart',
] as const;

/** The name of a call; requests that match no endpoint are `unknown`. */
export type Call = (typeof knownCalls)[number] | 'unknown';

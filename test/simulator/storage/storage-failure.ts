/** Why storage refused: the S3 error code with its HTTP status and message. */
export interface StorageFailure {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

const known = {
  NoSuchUpload: [
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  InvalidPart: [
    400,
    'One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part entity tag.',
  ],
  InvalidPartOrder: [
    400,
    'The list of parts was not in ascending order. The parts list must be specified in order by part number.',
  ],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  InvalidArgument: [400, 'Part number must be an integer between 1 and 10000, inclusive'],
  MalformedXML: [
    400,
    'The XML you provided was not well-formed or did not validate against our published schema',
  ],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  RequestTimeout: [
    400,
    'Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed.',
  ],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  BadDigest: [400, 'The Content-MD5 you specified did not match what we received.'],
} as const satisfies Record<string, readonly [number, string]>;

/** A refusal with the status and message that S3 uses. */
export function storageFailure(code: keyof typeof known, message?: string): StorageFailure {
  const [status, words] = known[code];
  return { code, status, message: message ?? words };
}

/** 403 AccessDenied, which S3 uses for several reasons. */
export function accessDenied(message: string): StorageFailure {
  return { code: 'AccessDenied', status: 403, message };
}

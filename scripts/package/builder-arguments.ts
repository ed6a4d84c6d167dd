type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment adds to electron-builder.yml; empty values count as not set, as build servers pass them. */
export function builderArguments(environment: Environment): readonly string[] {
  const feed = filled(environment['UPDATE_FEED_URL']);
  const publisher = filled(environment['WINDOWS_PUBLISHER_NAME']);
  if (feed !== undefined && !feed.startsWith('https://'))
    throw new Error('UPDATE_FEED_URL must begin with https://.');
  return [
    '--publish',
    'never',
    ...(feed === undefined ? [] : [`-c.publish.url=${feed}`]),
    // The updater on the PC takes only what this name has signed.
    ...(publisher === undefined ? [] : [`-c.win.signtoolOptions.publisherName=${publisher}`]),
    // With a certificate at hand an installer without a signature is a mistake.
    ...(hasCertificate(environment) ? ['-c.forceCodeSigning=true'] : []),
  ];
}

const certificates = ['CSC_LINK', 'WIN_CSC_LINK', 'AZURE_CLIENT_ID'];
const hasCertificate = (environment: Environment): boolean =>
  certificates.some((name) => filled(environment[name]) !== undefined);

const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** An etag without its surrounding quotes, as it is sent to the service (service.md gap 9). Any number of quotes is taken off. */
export function bareEtag(etag: string): string {
  return etag.replace(/^(?:W\/)?"+|"+$/g, '');
}

/** The MD5 that an etag states, lower-case hexadecimal; undefined where the store's etags are something else. */
export function md5OfEtag(etag: string): string | undefined {
  const bare = bareEtag(etag);
  return /^[0-9a-fA-F]{32}$/.test(bare) ? bare.toLowerCase() : undefined;
}

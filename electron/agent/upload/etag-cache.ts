/** What a storage host's etags have proved to be. `unknown` until the first part was stored. */
export type EtagKind = 'unknown' | 'md5' | 'opaque';

/** Remembers per host whether etags are MD5 sums, so that neither MD5 nor CRC-32 is computed in vain. */
export interface EtagCache {
  kindOf(host: string): EtagKind;
  /** Compares an etag with the MD5 of the bytes; false when it should be that MD5 and is not. */
  agrees(url: URL, etag: string, md5: string | undefined): boolean;
}

/** Creates an empty cache. */
export function createEtagCache(): EtagCache {
  const kinds = new Map<string, EtagKind>();
  const kindOf = (host: string): EtagKind => kinds.get(host) ?? 'unknown';

  return {
    kindOf,
    agrees(url, etag, md5) {
      const stated = md5OfEtag(etag);
      if (stated === undefined) {
        kinds.set(url.host, 'opaque');
        return true;
      }
      if (md5 === undefined) return true;
      if (stated === md5) {
        kinds.set(url.host, 'md5');
        return true;
      }
      // Stores that encrypt at rest return 32 hexadecimal digits that are not an MD5. TLS rules out damage on the way,
      // so a host whose etags never matched uses other etags; there the CRC-32 of the sent bytes is compared.
      if (url.protocol === 'https:' && kindOf(url.host) !== 'md5') {
        kinds.set(url.host, 'opaque');
        return true;
      }
      return kindOf(url.host) === 'opaque';
    },
  };
}

/** An etag without its quotes, any number of them, as it is sent to the service (service.md gap 9). */
export function bareEtag(etag: string): string {
  return etag.replace(/^(?:W\/)?"+|"+$/g, '');
}

/** The MD5 in an etag, lower-case hexadecimal; undefined where the store's etags are something else. */
export function md5OfEtag(etag: string): string | undefined {
  const bare = bareEtag(etag);
  return /^[0-9a-fA-F]{32}$/.test(bare) ? bare.toLowerCase() : undefined;
}

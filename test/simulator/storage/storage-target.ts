/** The object or part that a storage request is about, according to its path and query. */
export type StorageTarget =
  | { readonly kind: 'object'; readonly key: string }
  | { readonly kind: 'part'; readonly key: string; readonly uploadId: string; readonly partNumber: number };

/** Reads a path-style address; undefined when it is not in this bucket. */
export function readStorageTarget(url: URL, bucket: string): StorageTarget | undefined {
  const prefix = `/${bucket}/`;
  if (!url.pathname.startsWith(prefix)) return undefined;
  const key = decode(url.pathname.slice(prefix.length));
  if (key === undefined || key === '' || key.split('/').some((part) => part === '' || /^\.+$/.test(part)))
    return undefined;
  const uploadId = url.searchParams.get('uploadId');
  if (uploadId === null) return { kind: 'object', key };
  return {
    kind: 'part',
    key,
    uploadId,
    partNumber: Number(url.searchParams.get('partNumber') ?? Number.NaN),
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The fields that have a value; null and undefined are left out. */
export function knownFields<T extends object>(fields: {
  readonly [K in keyof T]: T[K] | null | undefined;
}): Partial<T> {
  const result: Partial<T> = {};
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.assign(result, Object.fromEntries(known));
}

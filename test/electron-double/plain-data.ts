/**
 * Values on their way between a page and the main process, as text. Electron clones; text does the same for plain data,
 * and anything else is refused, so that an app that sends an object with behaviour fails here as it does there.
 */
export function toText(value: unknown): string {
  return JSON.stringify(encode(value));
}

export function fromText(text: string): unknown {
  return decode(JSON.parse(text));
}

/** Self-contained, because it also runs in the page. */
export function encode(value: unknown): unknown {
  if (value === undefined) return { $: 'undefined' };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => encode(item));
  const isPlain =
    typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain || Object.hasOwn(value, '$')) throw new Error('An object could not be cloned.');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
}

/** Self-contained, because it also runs in the page. */
export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => decode(item));
  if (Object.hasOwn(value, '$')) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
}

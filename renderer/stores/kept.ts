import type { z } from 'zod';

/** Where things of one browser are kept: its local storage, or anything like it. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** What was kept under a key; a storage that refuses, is empty or holds something else counts as `without`. */
export function readKept<Schema extends z.ZodType>(
  storage: TextStorage,
  key: string,
  schema: Schema,
  without: object,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(storage.getItem(key) ?? JSON.stringify(without)));
  } catch {
    return schema.parse(without);
  }
}

/** Keeps a value; false when the storage is full or refuses: then it lasts until the page is closed. */
export function keep(storage: TextStorage, key: string, value: unknown): boolean {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

import { readFile, rename } from 'node:fs/promises';
import type { z } from 'zod';
import { OWNER_ONLY, replaceFile, type Logger } from '../agent/index.ts';

/** A small JSON file that the app keeps for itself. */
export interface JsonFile<T> {
  /** The contents; undefined when the file is missing, unreadable or invalid. An invalid one is set aside. */
  read(): Promise<T | undefined>;
  /** The file was there when it was last read, but could not be read; it may be readable again at the next try. */
  isUnreadable(): boolean;
  /**
   * Rejects with the system's error. Writes run one at a time, in order. An unreadable file is set aside first, and
   * stays as it is if that fails.
   */
  write(value: T): Promise<void>;
}

/** Where the file is, and what it must look like. */
export interface JsonFileDeps<T> {
  readonly file: string;
  readonly schema: z.ZodType<T>;
  readonly logger: Logger;
}

/** Creates access to the file; nothing is read yet. */
export function createJsonFile<T>({ file, schema, logger }: JsonFileDeps<T>): JsonFile<T> {
  let last: Promise<void> = Promise.resolve();
  let isUnreadable = false;

  function understand(text: string): T | undefined {
    try {
      const parsed = schema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  const setAside = (): Promise<void> => rename(file, `${file}.broken`);

  /** Renames an invalid file instead of overwriting it: it may still hold something that somebody needs. */
  async function keepAside(): Promise<void> {
    logger.warn('A data file is not valid; it was set aside and the defaults are used', { file });
    await setAside().catch((error: unknown) =>
      logger.warn('The invalid data file could not be set aside', { file, error }),
    );
  }

  async function keepUnreadable(): Promise<void> {
    await setAside().catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    isUnreadable = false;
    logger.warn('A data file that cannot be read was set aside', { file });
  }

  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        isUnreadable = !isMissing(error);
        if (isUnreadable) logger.warn('A data file cannot be read', { file, error });
        return undefined;
      });
      if (text === undefined) return undefined;
      isUnreadable = false;
      const value = understand(text);
      if (value === undefined) await keepAside();
      return value;
    },
    isUnreadable: () => isUnreadable,
    write(value) {
      const writing = last.then(async () => {
        if (isUnreadable) await keepUnreadable();
        await replaceFile(file, `${JSON.stringify(value, undefined, 2)}\n`, { rights: OWNER_ONLY });
      });
      last = writing.catch(() => undefined);
      return writing;
    },
  };
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

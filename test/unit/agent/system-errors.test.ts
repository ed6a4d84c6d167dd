import { lstatSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProcessTrouble, systemErrorName, threadErrorName } from '../../../electron/agent/system-errors.ts';

/** An error as Node creates it from a number. */
const nodeError = (errno: number, code: string): Error => Object.assign(new Error(code), { errno, code });

describe('systemErrorName', () => {
  it('fault 38: names ESTALE, which Node calls an unknown system error, by its number', () => {
    expect(systemErrorName(nodeError(-116, 'Unknown system error -116'))).toBe('ESTALE');
  });

  it('names errors of this system, and numbers that it does not know', () => {
    expect(systemErrorName(thrownBy(() => lstatSync('/nothing/here')))).toBe('ENOENT');
    expect(systemErrorName(nodeError(-112, 'EHOSTDOWN'))).toBe('EHOSTDOWN');
    expect(systemErrorName(nodeError(-1_999, 'Unknown system error -1999'))).toBe('errno 1999');
  });

  it.each([new Error('a bug'), Object.assign(new Error('full'), { code: 'SQLITE_FULL' }), 'text', undefined])(
    'leaves out what is no error of a file operation: %s',
    (error) => {
      expect(systemErrorName(error)).toBeUndefined();
    },
  );
});

describe('threads that need handles', () => {
  it('are told by their text', () => {
    expect(threadErrorName(new Error('Worker initialization failure: EMFILE'))).toBe('EMFILE');
    expect(threadErrorName(new Error('Cannot read package config: too many open files.'))).toBe('EMFILE');
    expect(threadErrorName(new Error('broken'))).toBeUndefined();
    expect(isProcessTrouble(nodeError(-24, 'EMFILE'))).toBe(true);
    expect(isProcessTrouble(nodeError(-5, 'EIO'))).toBe(false);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

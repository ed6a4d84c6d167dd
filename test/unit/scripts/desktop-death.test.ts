import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headlessArguments, whyItDied, type DesktopEnd } from '../../../scripts/desktop-death.ts';

const end = (change: Partial<DesktopEnd>): DesktopEnd => ({
  code: null,
  signal: null,
  ranMs: 300,
  said: '',
  ...change,
});

describe('a desktop app that does not come up', () => {
  test.each([
    [
      'user namespaces',
      { signal: 'SIGTRAP', said: '[1:FATAL:zygote_host_impl_linux.cc] No usable sandbox! If' },
    ],
    ['not run as root', { code: 1, said: 'ERROR: Running as root without --no-sandbox is not supported.' }],
    [
      'libgtk-3.so.0',
      { code: 127, said: 'electron: error while loading shared libraries: libgtk-3.so.0: cannot' },
    ],
    ['does not answer', { code: 1, said: 'Missing X server or $DISPLAY' }],
    ['ended by SIGSEGV', { signal: 'SIGSEGV', ranMs: 60_000 }],
    ['ended with code 133', { code: 133 }],
  ] as const)('is told with what helps: %s', (words, change) => {
    expect(whyItDied(end(change))).toContain(words);
  });

  test.each([
    ['a person quit it', { code: 0 }],
    ['a switch was refused', { code: 64 }],
    ['its start failed, and it said so itself', { code: 1 }],
    ['it had a fault later', { code: 1, ranMs: 60_000, said: 'No usable sandbox' }],
    ['somebody ended it', { signal: 'SIGTERM' }],
  ] as const)('is not what happened when %s', (_what, change) => {
    expect(whyItDied(end(change))).toBeUndefined();
  });
});

test('the agent in its place gets none of the arguments that only the desktop app knows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  const args = [
    '--hidden',
    folder,
    'vms-export-agent://incident/1',
    '--console',
    '47900',
    '--config',
    'c.json',
  ];
  expect(headlessArguments(args)).toEqual(['--console', '47900', '--config', 'c.json']);
});

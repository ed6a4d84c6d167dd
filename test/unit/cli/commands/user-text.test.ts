import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellQuote } from '../../../../electron/cli/commands/user-text.ts';

const words = ['plain', "O'Brien", 'two words', '$HOME `id` "x" \\ !', '*', '', '北门', '#x', '~'];

test.runIf(process.platform !== 'win32')('a shell takes each word as it was', () => {
  const line = words.map((word) => shellQuote(word, 'linux')).join(' ');
  const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  expect(printed.split('\0').slice(0, -1)).toEqual(words);
});

test('uses double quotes on Windows, and none where none are needed', () => {
  expect(shellQuote('two words', 'win32')).toBe('"two words"');
  expect(shellQuote('+14155550100', 'win32')).toBe('+14155550100');
});

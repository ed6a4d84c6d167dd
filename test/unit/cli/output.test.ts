import { expect, test } from 'vitest';
import { createOutput } from '../../../electron/cli/output.ts';

function terminal(isTTY: boolean, environment: Record<string, string> = {}) {
  const screen: string[] = [];
  const write = (text: string): void => void screen.push(text);
  const output = createOutput({
    stdout: { write },
    stderr: { write, isTTY, columns: 40 },
    environment,
    clean: (text) => text.replaceAll('secret', '[removed]').replaceAll(/\?\S+/g, '?[removed]'),
    removeKeys: (text) => text.replaceAll('secret', '[removed]'),
  });
  return { screen, output };
}

const CLEAR = '\r\u001b[K';

test('takes the progress line away before a line and draws it again after', () => {
  const { screen, output } = terminal(true);
  output.progress('10%');
  output.progress('10%');
  output.line('a clip');
  output.progress('20%');
  output.progress(undefined);
  output.line('done');
  expect(screen).toEqual(['10%', CLEAR, 'a clip\n', '10%', CLEAR, '20%', CLEAR, 'done\n']);
});

test.each([
  ['no terminal', false, {}],
  ['NO_COLOR', true, { NO_COLOR: '1' }],
  ['a dumb terminal', true, { TERM: 'dumb' }],
])('shows no progress with %s', (_, isTTY, environment) => {
  const { screen, output } = terminal(isTTY, environment);
  expect(output.showsProgress).toBe(false);
  output.progress('10%');
  output.note('note');
  expect(screen).toEqual(['note\n']);
});

test('shows progress with an empty NO_COLOR, as its rule says', () => {
  expect(terminal(true, { NO_COLOR: '' }).output.showsProgress).toBe(true);
});

test('takes secrets and steering characters out of everything', () => {
  const { screen, output } = terminal(false);
  output.line('a secret\u001b[2J\u202e');
  output.note('two\nlines\r');
  expect(screen).toEqual(['a [removed]\ufffd[2J\ufffd\n', 'two\nlines\ufffd\n']);
});

test('writes data as they are, without secrets and steering characters', () => {
  const { screen, output } = terminal(false);
  output.data('a secret,https://a.example?b=c\r\nnext\u001b[2J\rline');
  expect(screen).toEqual(['a [removed],https://a.example?b=c\r\nnext\ufffd[2J\ufffdline']);
});

test('asks without a line end', () => {
  const { screen, output } = terminal(true);
  output.question('Name of secret: ');
  expect(screen).toEqual(['Name of [removed]: ']);
});

test.each([
  ['its columns', { isTTY: true, columns: 120 }, 120],
  ['80 when a terminal does not tell', { isTTY: true }, 80],
  ['none in a file or pipe', { columns: 120 }, undefined],
])('knows the width of results: %s', (_, stdout, width) => {
  const write = (): undefined => undefined;
  const same = (text: string): string => text;
  const options = { stderr: { write }, environment: {}, clean: same, removeKeys: same };
  expect(createOutput({ ...options, stdout: { write, ...stdout } }).width()).toBe(width);
});

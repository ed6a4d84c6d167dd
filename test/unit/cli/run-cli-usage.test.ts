import { expect, test } from 'vitest';
import { commands } from '../../../electron/cli/commands.ts';
import { usageText } from '../../../electron/cli/run-cli.ts';

const names = commands.map(({ name }) => name);

test.each([undefined, 'users', ...names])('the help of %s fits 80 columns', (topic) => {
  const lines = usageText(topic).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.each(commands)('the help of $name names all its options and no others', ({ name, options }) => {
  const named = new Set(usageText(name).match(/(?<=--)[a-z][a-z-]+/g));
  // Options of another command that the text recommends
  const borrowed = name === 'users deactivate' ? ['active'] : [];
  const shown = Object.entries(options).flatMap(([option, { help }]) => (help === undefined ? [] : [option]));
  expect([...named].toSorted()).toEqual([...shown, ...borrowed, 'help'].toSorted());
});

test.each(commands)('the synopsis of $name has every option that its help explains', ({ usage, options }) => {
  const inAllCommands = ['config', 'data-dir'];
  const shown = Object.entries(options).flatMap(([name, { help }]) => (help === undefined ? [] : [name]));
  const missing = shown.filter(
    (name) => !inAllCommands.includes(name) && !usage.join('\n').includes(`--${name}`),
  );
  expect(missing).toEqual([]);
});

test('an option takes a value in every command that has it, or in none', () => {
  const forms = Map.groupBy(
    commands.flatMap(({ options }) => Object.entries(options)),
    ([name]) => name,
  );
  for (const [name, found] of forms)
    expect(new Set(found.map(([, { value }]) => value === undefined)).size, name).toBe(1);
});

test('the help of the program has every command', () => {
  for (const name of names) expect(usageText()).toContain(`\n  vms-export-agent ${name} `);
  // And the purpose of each, in a sentence
  for (const name of names)
    expect(usageText()).toMatch(new RegExp(`\\n  ${name} +[A-Z][^.]*(?:\\n {21}[^.]+)*\\.\\n`));
});

import { expect, test } from 'vitest';
import { commandNames, USERS, type Topic } from '../../../electron/cli/command-names.ts';
import { hiddenOptions, optionNames, optionsOf } from '../../../electron/cli/option-table.ts';
import { usageText } from '../../../electron/cli/usage.ts';

const topics: readonly (Topic | undefined)[] = [undefined, USERS, ...commandNames];

test.each(topics)('the help of %s fits 80 columns', (topic) => {
  const lines = usageText(topic).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.each(commandNames)('the help of %s names all its options and no others', (command) => {
  const named = new Set(usageText(command).match(/(?<=--)[a-z][a-z-]+/g));
  // What a text recommends of another command
  const borrowed = command === 'users deactivate' ? ['active'] : [];
  const general = ['help'];
  const shown = optionsOf[command].filter((name) => !hiddenOptions.includes(name));
  expect([...named].toSorted()).toEqual([...shown, ...borrowed, ...general].toSorted());
});

test('every option belongs to a command or to the program', () => {
  const used = new Set<string>([...Object.values(optionsOf).flat(), 'help', 'version']);
  expect(optionNames.filter((name) => !used.has(name))).toEqual([]);
});

test('the help of the program has every command', () => {
  for (const name of commandNames) expect(usageText()).toContain(`\n  vms-export-agent ${name} `);
});

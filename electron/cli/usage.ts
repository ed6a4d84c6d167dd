import { queueOptions, type Command, type Option } from './command.ts';
import { commands, commandsOf } from './commands.ts';

const PROGRAM = 'vms-export-agent';

/** Where the text of an option begins, and where lines end, characters. */
const TEXT_COLUMN = 21;
const WIDTH = 80;

/** The options that stand without a command too. */
export const programOptions = {
  help: { help: 'this text, or that of one command' },
  version: { help: 'the version' },
} as const satisfies Readonly<Record<string, Option>>;

const EXITS = `Exit codes: 0 all well, 1 fault, 2 usage, 10 bad configuration, 11 key refused,
  12 service unreachable, 13 another instance owns the data directory,
  14 some clips failed, were held back or paused, or a folder holds no clip,
  130 interrupted.`;

const inWords = new Intl.ListFormat('en-GB');

/** The help text: of a command, of a group of commands, or of the program. */
export function usageText(topic?: string): string {
  if (topic === undefined) return programHelp();
  const found = commandsOf(topic);
  const [command] = found;
  if (command?.name === topic) return commandHelp(command);
  return `Usage:\n${synopses(found)}\n\nMore about each: ${PROGRAM} help ${command?.name}\n\n${serviceExits()}`;
}

function programHelp(): string {
  const forQueue = inWords.format(commands.filter(usesQueue).map(({ name }) => name));
  const common = {
    ...queueOptions,
    'data-dir': { ...queueOptions['data-dir'], help: `${queueOptions['data-dir'].help}; for ${forQueue}` },
    ...programOptions,
  };
  const options = `Options of all commands:\n${optionLines(common)}`;
  return `Usage:\n${synopses(commands)}\n\n${options}\n\n${EXITS}\n${serviceExits()}`;
}

function commandHelp(command: Command): string {
  const { usage, purpose, operands = {}, options, remark } = command;
  const [first = '', ...more] = usage.map(programLine);
  const synopsis = [`Usage: ${first}`, ...more.map((line) => `       ${line}`)].join('\n');
  const common = Object.entries(options).filter(([name]) => name in queueOptions);
  const own = Object.entries(options).filter(([name]) => !(name in queueOptions));
  const details = [
    purpose,
    ...Object.entries(operands).map(([label, text]) => helpLine(label, text)),
    ...(own.length === 0 ? [] : [optionLines(Object.fromEntries(own))]),
    ...(remark === undefined ? [] : [remark]),
    optionLines({ ...Object.fromEntries(common), help: programOptions.help }),
  ].join('\n');
  return `${synopsis}\n\n${details}${usesQueue(command) ? '' : `\n\n${serviceExits()}`}`;
}

/** Commands without a queue only talk to the service. */
const usesQueue = ({ options }: Command): boolean => 'data-dir' in options;

function serviceExits(): string {
  const names = commands
    .filter((command) => !usesQueue(command))
    .map(({ name }) => name.split(' ', 1)[0] ?? '');
  return `Exit codes of ${inWords.format(new Set(names))}: 0 done, 1 refused by the
  service or not known to it, 2 usage, 10 bad configuration, 11 key refused or
  permission missing, 12 service unreachable, 130 interrupted.`;
}

const synopses = (found: readonly Command[]): string =>
  found.flatMap(({ usage }) => usage.map((line) => `  ${programLine(line)}`)).join('\n');

const programLine = (line: string): string => (line.startsWith(' ') ? line : `${PROGRAM} ${line}`);

function optionLines(options: Readonly<Record<string, Option>>): string {
  return Object.entries(options)
    .flatMap(([name, { value, help }]) => {
      if (help === undefined) return [];
      const dashed = name === 'help' ? '-h, --help' : `--${name}`;
      return [helpLine(value === undefined ? dashed : `${dashed} ${value}`, help)];
    })
    .join('\n');
}

/** A label with its text beside it, in as many lines as it takes. */
function helpLine(label: string, text: string): string {
  const lines = [`  ${label}`.padEnd(TEXT_COLUMN - 1)];
  if (label.length + 3 > TEXT_COLUMN) lines.push(' '.repeat(TEXT_COLUMN - 1));
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${' '.repeat(TEXT_COLUMN)}${word}`);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

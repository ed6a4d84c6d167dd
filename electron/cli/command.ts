import { suggestKey } from '../agent/core/settings/suggest-key.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { ConfigOptions, Deps } from './deps.ts';
import type { ExitCode } from './exit-codes.ts';

/** One option of a command. */
export interface Option {
  /** What the help calls its value; an option without one is a switch. */
  readonly value?: string;
  /** Left out for options that only programs of this project use: no help and no suggestion names them. */
  readonly help?: string;
  /** It can be given more than once. */
  readonly repeatable?: true;
}

/** A command as its file defines it. `Name` is a name of its options, without dashes. */
export interface CommandDefinition<Name extends string, Input> {
  /** One word, or two for a command of a group: "users list". */
  readonly name: string;
  /** How it is called, without the program's name; a line that begins with a space continues the one before. */
  readonly usage: readonly string[];
  /** What it is for, in lines of at most 80 characters. */
  readonly purpose: string;
  /** Help for the words that are not options. */
  readonly operands?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<Name, Option>>;
  /** What else there is to know, below the options. */
  readonly remark?: string;
  /** What the command line asks for; throws `UsageError`. */
  parse(line: Line<Name>): Input;
  run(input: Input, deps: Deps): Promise<ExitCode>;
}

/** A command as the table holds it. */
export interface Command extends Omit<CommandDefinition<string, unknown>, 'run'> {
  /** Parses the line and runs the command; rejects with `UsageError`. */
  start(line: Line, deps: Deps): Promise<ExitCode>;
}

/** Makes a command for the table in commands.ts. */
export function defineCommand<Name extends string, Input>(
  definition: CommandDefinition<Name, Input>,
): CommandDefinition<Name, Input> & Pick<Command, 'start'> {
  return {
    ...definition,
    start: async (line, deps) => definition.run(definition.parse(line), deps),
  };
}

/** The options and operands of one command line. */
export interface Line<Name extends string = string> {
  readonly command: string;
  readonly operands: readonly string[];
  has(name: Name): boolean;
  /** The value of an option. */
  text(name: Name): string | undefined;
  /** The values of a repeatable option, in their order. */
  texts(name: Name): readonly string[];
}

/** A command line that cannot be understood. */
export class UsageError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.advice = advice;
  }
}

/** The advice to use the known word that is close to what was typed. */
export function didYouMean(typed: string, known: readonly string[]): string | undefined {
  const near = suggestKey(typed, known);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

/** Refuses operands, for commands that take none. */
export function refuseOperands({ command, operands }: Line<never>): void {
  const [first] = operands;
  if (first !== undefined) throw new UsageError(`${command} takes no "${visibleName(first)}".`);
}

/** The option of all commands. */
export const configOption = {
  config: {
    value: 'FILE',
    help: 'configuration (default: vms-export-agent.json in the configuration folder of this account)',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The options of all commands that use the queue. */
export const queueOptions = {
  ...configOption,
  'data-dir': { value: 'DIR', help: 'folder of the queue, on a local disk' },
} as const satisfies Readonly<Record<string, Option>>;

/** Where the configuration and the queue are, as the line names them. */
export const parseQueueOptions = (line: Line<'config' | 'data-dir'>): ConfigOptions => ({
  config: line.text('config'),
  dataDir: line.text('data-dir'),
});

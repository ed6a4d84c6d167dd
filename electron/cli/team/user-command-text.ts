import type { OptionName } from '../option-table.ts';
import { shellQuote } from '../shell-quote.ts';

/** An option as it is typed; without a value it is a switch. */
export interface TypedOption {
  readonly name: OptionName;
  readonly value?: string;
}

/** A command line about a user that does what it says when it is typed as it is shown. */
export function userCommandText(
  verb: 'update' | 'deactivate',
  userId: string,
  options: readonly TypedOption[],
  platform: NodeJS.Platform,
): string {
  const typed = options.map((option) => optionText(option, platform));
  const id = shellQuote(userId, platform);
  // After two dashes, an id that begins with one is no option
  const words = userId.startsWith('-') ? [...typed, '--', id] : [id, ...typed];
  return ['vms-export-agent users', verb, ...words].join(' ');
}

/** The option that names the same configuration again. */
export const configOption = (config: string | undefined): readonly TypedOption[] =>
  config === undefined ? [] : [{ name: 'config', value: config }];

function optionText({ name, value }: TypedOption, platform: NodeJS.Platform): string {
  if (value === undefined) return `--${name}`;
  const quoted = shellQuote(value, platform);
  return value.startsWith('-') ? `--${name}=${quoted}` : `--${name} ${quoted}`;
}

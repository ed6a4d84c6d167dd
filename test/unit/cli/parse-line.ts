import { UsageError } from '../../../electron/cli/command.ts';
import { parseArguments } from '../../../electron/cli/run-cli.ts';

/** How the program understands its arguments: the command with its input, help or version; or the error. */
export function parseLine(args: readonly string[]) {
  try {
    const request = parseArguments(args);
    if (request.kind !== 'command') return { ok: true, value: request };
    const { command, line } = request;
    return { ok: true, value: { kind: command.name, ...Object(command.parse(line)) } };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ok: false, error: { message: error.message, advice: error.advice } };
  }
}

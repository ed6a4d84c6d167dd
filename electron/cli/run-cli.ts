import { assertNever } from '../../shared/lib/assert-never.ts';
import { checkCommand } from './commands/check.ts';
import type { Command, UsageError } from './command.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { Host } from './deps.ts';
import type { AgentNeeds } from './needs.ts';
import type { Output } from './output.ts';
import { parseArguments } from './parse-arguments.ts';
import { pushCommand } from './commands/push.ts';
import { retryCommand } from './commands/retry.ts';
import { runCommand } from './commands/run.ts';
import { statusCommand } from './commands/status.ts';
import { actionsCommand } from './commands/actions.ts';
import { messageCommand } from './commands/message.ts';
import { periodsCommand } from './commands/periods.ts';
import { userCommand } from './commands/users-update.ts';
import { usersCreateCommand } from './commands/users-create.ts';
import { usersDeleteCommand } from './commands/users-delete.ts';
import { usersListCommand } from './commands/users-list.ts';
import { usageText } from './usage.ts';

/** The command-line program: arguments in, exit code out. */
export async function runCli(args: readonly string[], host: Host, needs: AgentNeeds): Promise<ExitCode> {
  const command = parseArguments(args);
  return command.ok ? runOne(command.value, host, needs) : refuse(command.error, host.output);
}

async function runOne(command: Command, host: Host, needs: AgentNeeds): Promise<ExitCode> {
  switch (command.kind) {
    case 'run':
      return runCommand(command, host, needs);
    case 'push':
      return pushCommand(command, host);
    case 'status':
      return statusCommand(command, host, needs);
    case 'retry':
      return retryCommand(command, host, needs);
    case 'check':
      return checkCommand(command, host, needs);
    case 'periods':
      return periodsCommand(command, host, needs);
    case 'actions':
      return actionsCommand(command, host, needs);
    case 'message':
      return messageCommand(command, host, needs);
    case 'users list':
      return usersListCommand(command, host, needs);
    case 'users get':
    case 'users update':
    case 'users deactivate':
      return userCommand(command, host, needs);
    case 'users create':
      return usersCreateCommand(command, host, needs);
    case 'users delete':
      return usersDeleteCommand(command, host, needs);
    case 'help':
      host.output.line(usageText(command.about));
      return exitCodes.ok;
    case 'version':
      host.output.line(host.version);
      return exitCodes.ok;
    default:
      return assertNever(command);
  }
}

function refuse({ message, advice, about }: UsageError, output: Output): ExitCode {
  output.note(advice === undefined ? message : `${message} ${advice}`);
  output.note(`\n${usageText(about)}`);
  return exitCodes.usage;
}

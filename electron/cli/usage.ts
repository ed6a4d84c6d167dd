import { agentHelp, type CommandHelp } from './agent-help.ts';
import { commandNames, commandsOf, USERS, type CommandName, type Topic } from './command-names.ts';
import { optionsOf } from './option-table.ts';
import { teamHelp } from './team/team-help.ts';

const PROGRAM = 'vms-export-agent';
const help: Readonly<Record<CommandName, CommandHelp>> = { ...agentHelp, ...teamHelp };

const CONFIG = `  --config FILE      configuration (default: ./vms-export-agent.json, then the
                     user's configuration folder)`;
const DATA_DIR = '  --data-dir DIR     folder of the queue, on a local disk';
const HELP = '  -h, --help         this text, or that of one command';
const VERSION = '  --version          the version';

const ALL_OPTIONS = `Options of all commands:
${CONFIG}
${DATA_DIR}; for
                     run, push, status, retry and check
${HELP}
${VERSION}`;

const EXITS = `Exit codes: 0 all well, 1 fault, 2 usage, 10 bad configuration, 11 key refused,
  12 service unreachable, 13 another instance owns the data directory,
  14 some clips failed, 130 interrupted.`;

const TEAM_EXITS = `Exit codes of periods, actions, message and users: 0 done, 1 refused by the
  service or not known to it, 2 usage, 10 bad configuration, 11 key refused or
  permission missing, 12 service unreachable, 130 interrupted.`;

/** The help text: of one command, of those of users, or of the program. */
export function usageText(topic?: Topic): string {
  if (topic === undefined)
    return `Usage:\n${usageLines(commandNames)}\n\n${ALL_OPTIONS}\n\n${EXITS}\n${TEAM_EXITS}`;
  if (topic === USERS)
    return `Usage:\n${usageLines(commandsOf(USERS))}\n\nMore of each: ${PROGRAM} help ${USERS} list\n\n${TEAM_EXITS}`;
  const { lines, details } = help[topic];
  const [first = '', ...more] = lines.map(programLine);
  const others = more.map((line) => `\n       ${line}`).join('');
  const exits = topic in teamHelp ? `\n\n${TEAM_EXITS}` : '';
  return `Usage: ${first}${others}\n\n${details}\n${commonOptions(topic)}${exits}`;
}

const usageLines = (names: readonly CommandName[]): string =>
  names.flatMap((name) => help[name].lines.map((line) => `  ${programLine(line)}`)).join('\n');

const programLine = (line: string): string => (line.startsWith(' ') ? line : `${PROGRAM} ${line}`);

function commonOptions(command: CommandName): string {
  const own = optionsOf[command].includes('data-dir') ? [CONFIG, DATA_DIR] : [CONFIG];
  return [...own, HELP].join('\n');
}

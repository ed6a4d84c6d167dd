/** The commands of the program, in the order of the help text. */
export const commandNames = ['run', 'push', 'status', 'retry', 'check'] as const;
/** One of `commandNames`. */
export type CommandName = (typeof commandNames)[number];

const usageLines: Readonly<Record<CommandName, string>> = {
  run: 'run [--config FILE] [--data-dir DIR] [--once] [--console PORT|off] [--log-level LEVEL] [--json]',
  push: 'push FOLDER... [--title T] [--description D] [--incident-at TIME] [--config FILE] [--data-dir DIR] [--json]',
  status: 'status [--config FILE] [--data-dir DIR] [--json]',
  retry: 'retry (ID | --all) [--config FILE] [--data-dir DIR]',
  check: 'check [--config FILE] [--data-dir DIR] [--json]',
};

const details: Readonly<Record<CommandName, string>> = {
  run: `Watches the folders of the configuration and uploads what appears in them.
  --once             upload what is there, wait until all is settled, exit
  --console PORT|off the web console's port, 1024 to 65535
  --log-level LEVEL  debug, info, warn or error (default warn), on stderr
  --json             one object a line on stdout, the last one a summary`,
  push: `Uploads each folder as one incident, waits, exits.
  --title T          title of the incident; for one folder only
  --description D    description of the incidents
  --incident-at TIME time with its offset: 2026-05-01T19:30:05Z
  --json             one object a line on stdout, the last one a summary`,
  status: `Lists incidents and clips with states, reasons and sizes.
  --json             one list of incidents on stdout`,
  retry: `Puts failed clips back into the queue.
  ID                 id of an incident or of a clip, as status shows it
  --all              all that failed and can succeed`,
  check: `Checks config, data directory, key, service, permission, clock and folders: one line each.
  --json             one list of the lines on stdout`,
};

const COMMON = `Options of all commands:
  --config FILE      configuration (default: ./vms-export-agent.json, then the user's configuration folder)
  --data-dir DIR     folder of the queue, on a local disk
  -h, --help         this text, or that of one command
  --version          the version`;

const EXITS = `Exit codes: 0 all well, 1 fault, 2 usage, 10 bad configuration, 11 key refused,
  12 service unreachable, 13 another instance owns the data directory, 14 some clips failed.`;

/** The help text: of one command, or of the program. */
export function usageText(command?: CommandName): string {
  if (command !== undefined)
    return `Usage: vms-export-agent ${usageLines[command]}\n\n${details[command]}\n\n${COMMON}`;
  const all = commandNames.map((name) => `  vms-export-agent ${usageLines[name]}`).join('\n');
  return `Usage:\n${all}\n\n${COMMON}\n\n${EXITS}`;
}

import type { CommandName } from './command-names.ts';

/** What the help says of one command. */
export interface CommandHelp {
  /** How it is called, without the program's name; a line that begins with a space goes on from the one before. */
  readonly lines: readonly string[];
  readonly details: string;
}

/** What the help says of the commands that know the queue. */
export const agentHelp = {
  run: {
    lines: ['run [--once] [--console PORT|off] [--log-level L]', '    [--json]'],
    details: `Watches the folders of the configuration and uploads what appears in them.
  --once             upload what is there, wait until all is settled, exit
  --console PORT|off the web console's port, 1024 to 65535
  --log-level L      debug, info, warn or error (default warn), on stderr
  --json             one object a line on stdout, the last one a summary`,
  },
  push: {
    lines: ['push FOLDER... [--title T] [--description D]', '    [--incident-at TIME] [--json]'],
    details: `Uploads each folder as one incident, waits, exits.
  --title T          title of the incident; for one folder only
  --description D    description of the incidents
  --incident-at TIME time with its offset: 2026-05-01T19:30:05Z
  --json             one object a line on stdout, the last one a summary`,
  },
  status: {
    lines: ['status [--json]'],
    details: `Lists incidents and clips with states, reasons and sizes.
  --json             one list of incidents on stdout`,
  },
  retry: {
    lines: ['retry (ID | --all)'],
    details: `Puts failed clips back into the queue.
  ID                 id of an incident or of a clip, as status shows it
  --all              all that failed and can succeed`,
  },
  check: {
    lines: ['check [--json]'],
    details: `Checks config, data directory, key, address, certificate, service, permission,
clock and folders: one line each.
  --json             one list of the lines on stdout`,
  },
} as const satisfies Partial<Readonly<Record<CommandName, CommandHelp>>>;

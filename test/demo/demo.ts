import { parseArgs } from 'node:util';
import { runDemo } from './run-demo.ts';
import { createScreen } from './screen.ts';

const USAGE = `npm run demo [-- --once] [-- --keep]

Runs the agent on this machine with a simulated service, its storage, and sample exports of several vendors.

  --once   waits until everything is settled, compares every stored object with its source, prints a
           table and exits: 0 if everything is as expected, otherwise 1
  --keep   keeps the exports, the storage and the agent's data
  --help   shows this help

Without --once the agent keeps running until Ctrl+C, and uploads your own folders too.`;

const USAGE_EXIT = 2;
const INTERRUPTED_EXIT = 130;

/** The first signal asks for an orderly stop; the second one ends the demo immediately, and the agent with it. */
function listenForStop(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED_EXIT);
    controller.abort(new Error('Someone asked to stop'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return controller.signal;
}

function readArguments():
  | { readonly once: boolean; readonly keep: boolean; readonly help: boolean }
  | undefined {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ options: { once: flag, keep: flag, help: flag } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return undefined;
  }
}

const chosen = readArguments();
if (chosen === undefined) process.exitCode = USAGE_EXIT;
else if (chosen.help) console.log(USAGE);
else
  process.exitCode = await runDemo({
    ...chosen,
    screen: createScreen(process.stdout),
    stop: listenForStop(),
  });

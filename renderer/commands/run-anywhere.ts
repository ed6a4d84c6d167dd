import { catalogue, type CommandId } from './catalogue.ts';
import type { CommandRegistry } from './command-registry.ts';

/** How long a screen has to come up, milliseconds; a command that comes much later than it was chosen would surprise. */
export const PATIENCE_MS = 5000;

/**
 * Runs a command wherever the page is: goes to the screen that has it, and waits for a page that is still coming up.
 * Answers the function that gives up.
 */
export function runAnywhere(commands: CommandRegistry, id: CommandId): () => void {
  if (commands.run(id)) return () => undefined;
  const screen = screenOf(id);
  let hasGone = screen === undefined || commands.run(screen);
  const stopWatching = commands.subscribe(() => {
    if (commands.run(id)) stop();
    else if (!hasGone && screen !== undefined) hasGone = commands.run(screen);
  });
  const timer = setTimeout(stop, PATIENCE_MS);
  function stop(): void {
    clearTimeout(timer);
    stopWatching();
  }
  return stop;
}

/** The command that leads to the screen of another; groups are named after their screens. */
function screenOf(id: CommandId): CommandId | undefined {
  const group = catalogue.find((command) => command.id === id)?.group;
  return catalogue.find((command) => command.id === `go.${group}`)?.id;
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import { catalogue, type CommandId } from './catalogue.ts';
import { matchesChord, parseChord, type KeyPress } from './chord.ts';

/** What a command does now; who registered last comes first. */
export interface CommandHandler {
  readonly id: CommandId;
  readonly isEnabled: boolean;
  readonly run: () => void;
}

/** The commands that can be given now. */
export interface CommandState {
  readonly handlers: readonly CommandHandler[];
}
export type CommandRegistry = StoreApi<CommandState> & {
  /** Answers the function that takes the handler away. */
  readonly register: (handler: CommandHandler) => () => void;
  /** False when it cannot be given now. */
  readonly run: (id: CommandId) => boolean;
  /** Runs the command of a key press; false when there is none. */
  readonly press: (press: KeyPress, isTyping: boolean) => boolean;
};

const chords = catalogue.flatMap(({ id, keys }) =>
  keys.map((key: string) => ({ id, chord: parseChord(key) })),
);

/** Makes the registry. `isMac` decides which key is "Mod". */
export function createCommandRegistry(isMac: boolean): CommandRegistry {
  const store = createStore<CommandState>()(() => ({ handlers: [] }));
  // One that cannot be given leaves it to the one before
  const handlerOf = (id: CommandId) =>
    store.getState().handlers.find((handler) => handler.id === id && handler.isEnabled);
  function run(id: CommandId): boolean {
    const handler = handlerOf(id);
    if (handler === undefined) return false;
    handler.run();
    return true;
  }
  return {
    ...store,
    register(handler) {
      store.setState(({ handlers }) => ({ handlers: [handler, ...handlers] }));
      return () =>
        store.setState(({ handlers }) => ({ handlers: handlers.filter((each) => each !== handler) }));
    },
    run,
    press(press, isTyping) {
      // Where text is typed only chords with a modifier are commands
      const found = chords.find(
        ({ id, chord }) =>
          matchesChord(chord, press, isMac) &&
          // A field takes back what was typed into it itself
          (!isTyping || (chord.mod && id !== 'app.undo') || chord.alt || chord.key.startsWith('F5')),
      );
      return found !== undefined && run(found.id);
    },
  };
}

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

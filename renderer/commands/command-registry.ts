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
  const handlerOf = (id: CommandId) => store.getState().handlers.find((handler) => handler.id === id);
  function run(id: CommandId): boolean {
    const handler = handlerOf(id);
    if (handler?.isEnabled !== true) return false;
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
        ({ chord }) =>
          matchesChord(chord, press, isMac) &&
          (!isTyping || chord.mod || chord.alt || chord.key.startsWith('F5')),
      );
      return found !== undefined && run(found.id);
    },
  };
}

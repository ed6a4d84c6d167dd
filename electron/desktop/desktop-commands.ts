import { isAbsolute } from 'node:path';
import type { Failure } from '../../shared/domain/failure.ts';
import type {
  DesktopChoice,
  DesktopCommandArguments,
  DesktopCommandName,
  DesktopCommandOutput,
  DesktopDiagnosis,
  HelpPage,
  MenuCommand,
  UpdateState,
} from '../../shared/ipc/desktop.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Agent, Logger } from '../agent/index.ts';
import type { NativeDialogs } from './window/native-dialogs.ts';
import type { z } from 'zod';
import { desktopCommands } from '../../shared/ipc/desktop.ts';
import { requestSchema, type CallReply } from '../../shared/ipc/envelope.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { OWNER_ONLY, replaceFile, systemCode } from '../agent/index.ts';

/** Handles one command whose input has been checked. Rejects only for bugs. */
export type DesktopCommand<Name extends DesktopCommandName> = (
  input: DesktopCommandArguments<Name>,
) => Promise<Result<DesktopCommandOutput<Name>, Failure>>;

/** A handler for each command of shared/ipc/desktop.ts: leaving one out is a type error. */
export type DesktopCommands = { readonly [Name in DesktopCommandName]: DesktopCommand<Name> };

/** What the handlers of page commands depend on. */
export interface CommandDeps {
  readonly agent: Pick<Agent, 'locateClip'>;
  readonly dialogs: Pick<NativeDialogs, 'chooseFolder' | 'chooseSavePlace'>;
  readonly logger: Logger;
  /** Shows a file in the file manager; never opens it. */
  readonly showInFolder: (path: string) => void;
  /** Rejects when the system has no browser. */
  readonly openHelp: (page: HelpPage) => Promise<void>;
  readonly choice: {
    get(): DesktopChoice;
    /** Rejects with the system's error when it cannot be saved. */
    set(change: DesktopCommandArguments<'choice.set'>): Promise<DesktopChoice>;
  };
  readonly diagnose: () => Promise<DesktopDiagnosis>;
  readonly takeReport: (report: DesktopCommandArguments<'selfTest.report'>) => void;
  readonly setMenu: (commands: readonly MenuCommand[]) => void;
  /** Switches the native words to this language. */
  readonly speak: (language: string) => void;
  readonly setUnsaved: (hasChanges: boolean) => void;
  readonly updates: {
    state(): UpdateState;
    check(): Promise<UpdateState>;
    install(): Promise<Result<void, Failure>>;
  };
}

/**
 * The handlers of shared/ipc/desktop.ts. Inputs have been checked by their schemas; system details are not sent to the
 * page.
 */
export function createDesktopCommands(deps: CommandDeps): DesktopCommands {
  const { agent, dialogs, logger, choice, updates } = deps;
  return {
    async revealClip({ clipId }) {
      const located = await agent.locateClip(clipId);
      if (!located.ok) return located;
      deps.showInFolder(located.value);
      return done;
    },
    async chooseFolder() {
      const path = await dialogs.chooseFolder();
      return ok(path !== undefined && isAbsolute(path) ? { path } : {});
    },
    saveText: (input) => saveText({ dialogs, logger }, input),
    openHelp: ({ page }) =>
      deps.openHelp(page).then(
        () => done,
        (error: unknown) => {
          logger.warn('Help could not be opened', { page, error });
          return err(noBrowser);
        },
      ),
    'choice.get': async () => ok(choice.get()),
    'choice.set': (change) =>
      choice.set(change).then(ok, (error: unknown) => {
        logger.warn('The desktop settings could not be saved', { error });
        return err(choiceNotKept);
      }),
    async 'selfTest.report'(report) {
      deps.takeReport(report);
      return done;
    },
    'diagnosis.get': async () => ok(await deps.diagnose()),
    async 'menu.set'({ commands, language }) {
      if (language !== undefined) deps.speak(language);
      deps.setMenu(commands);
      return done;
    },
    async 'unsaved.set'({ hasChanges }) {
      deps.setUnsaved(hasChanges);
      return done;
    },
    'update.state': async () => ok(updates.state()),
    'update.check': async () => ok(await updates.check()),
    async 'update.install'() {
      const installing = await updates.install();
      return installing.ok ? done : installing;
    },
  };
}

const done = ok({});

const noBrowser: Failure = {
  code: 'CALL_FAULT',
  message: 'The help page could not be opened in a browser.',
  advice: 'Set a default browser in the system settings, then try again.',
  retryable: true,
};

const choiceNotKept: Failure = {
  code: 'CONFIG_UNREADABLE',
  message: 'The setting could not be saved on this PC.',
  advice:
    'Check that the disk is not full and that this account can write to its own folders, then try again.',
  retryable: true,
};

/** The schemas of each command, in a form that keeps its types when the name is a variable. */
const schemas: {
  readonly [Name in DesktopCommandName]: {
    readonly input: z.ZodType<DesktopCommandArguments<Name>>;
    readonly output: z.ZodType<DesktopCommandOutput<Name>>;
  };
} = desktopCommands;

/** Answers any request; never rejects. Errors besides the command's own: CALL_UNKNOWN, CALL_INPUT, CALL_FAULT. */
type ServeCommand = (request: unknown) => Promise<CallReply>;

export function createServeCommand(commands: DesktopCommands, logger: Logger): ServeCommand {
  async function carryOut<Name extends DesktopCommandName>(
    name: Name,
    given: unknown,
  ): Promise<Result<DesktopCommandOutput<Name>, Failure>> {
    const input = schemas[name].input.safeParse(given);
    if (!input.success) return err(refusedInput(name));
    const result = await commands[name](input.data);
    return result.ok ? ok(schemas[name].output.parse(result.value)) : result;
  }

  return async (request) => {
    const envelope = requestSchema.safeParse(request);
    if (!envelope.success || !isCommandName(envelope.data.call)) return err(unknownCommand);
    const { call: command, input } = envelope.data;
    try {
      return await carryOut(command, input);
    } catch (error) {
      logger.error('A page command ended with an unexpected error', { command, error });
      return err(faultyCommand);
    }
  };
}

/** Own properties only: `constructor` and the like exist on every object. */
const isCommandName = (name: string): name is DesktopCommandName => Object.hasOwn(desktopCommands, name);

const refusedInput = (command: DesktopCommandName): Failure => ({
  code: 'CALL_INPUT',
  message: 'The app did not accept this request.',
  advice: 'Restart the app and try again.',
  retryable: false,
  detail: command,
});

const unknownCommand: Failure = {
  code: 'CALL_UNKNOWN',
  message: 'The app does not recognise this request.',
  advice: 'Restart the app and try again.',
  retryable: false,
};

const faultyCommand: Failure = {
  code: 'CALL_FAULT',
  message: 'The app could not do this because of an internal error.',
  advice: 'Try again. If it happens again, see the program log in Health.',
  retryable: true,
};

interface Deps {
  readonly dialogs: Pick<NativeDialogs, 'chooseSavePlace'>;
  readonly logger: Logger;
}

/**
 * Saves a text where the person chooses; the system's dialog asks before it replaces a file. `isSaved` is false when
 * the dialog was cancelled. Errors: DISK_FULL, FILE_NO_ACCESS, FILE_READ; an existing file is then unchanged.
 */
export async function saveText(
  { dialogs, logger }: Deps,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<Result<{ readonly isSaved: boolean }, Failure>> {
  const place = await dialogs.chooseSavePlace(safeFileName(name));
  if (place === undefined) return ok({ isSaved: false });
  try {
    // May contain users and first passwords. A missing folder is not recreated: it may be a share
    await replaceFile(place, text, { rights: OWNER_ONLY, needsFolder: true });
    return ok({ isSaved: true });
  } catch (error) {
    logger.warn('A file could not be saved', { error });
    return err(cannotSave(place, error));
  }
}

function cannotSave(place: string, error: unknown): Failure {
  const reason = systemCode(error);
  const message = `Could not save ${visibleName(place)} (${reason}).`;
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    return {
      code: 'DISK_FULL',
      message,
      advice: 'Free some space, or save the file elsewhere.',
      retryable: true,
    };
  const advice = 'Save the file under another name, or in a folder that this account can write to.';
  const code = ['EACCES', 'EPERM', 'EROFS'].includes(reason) ? 'FILE_NO_ACCESS' : 'FILE_READ';
  return { code, message, advice, retryable: true };
}

/** Longest name that every file system accepts, characters; some count bytes, up to four per character. */
const LONGEST_NAME = 60;

const LONGEST_EXTENSION = 8;

/** Device names of Windows, reserved with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Characters that one of the systems does not allow in a name, and those that hide or reorder text. */
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\ufffd]+/gu;

/** Reduces a name that a page proposed to one that a save dialog can offer: no folders, no leading dot or dash. */
export function safeFileName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replaceAll(UNSAFE, '-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.-]+/, '')
    .replace(/[\s.]+$/, '');
  const dot = clean.lastIndexOf('.');
  const hasExtension = dot > 0 && clean.length - dot - 1 <= LONGEST_EXTENSION;
  const extension = hasExtension ? clean.slice(dot) : '';
  const stem = [...clean.slice(0, clean.length - extension.length)].slice(0, LONGEST_NAME).join('').trimEnd();
  const first = stem.split('.')[0] ?? '';
  if (stem === '') return `export${extension}`;
  return DEVICE.test(first.trim()) ? `export-${stem}${extension}` : `${stem}${extension}`;
}

import { z } from 'zod';
import { type CallShape, defineCall } from './envelope.ts';

const nothing = z.strictObject({});
const done = z.object({}).readonly();

/** A command of the pages as the native menus show it: its words, whether it can be given, its key. */
export const menuCommandSchema = z
  .strictObject({
    id: z.string().max(64),
    label: z.string().max(200),
    isEnabled: z.boolean(),
    /** An accelerator in Electron's spelling; missing: none. */
    accelerator: z.string().max(64).exactOptional(),
  })
  .readonly();
/** See `menuCommandSchema`. */
export type MenuCommand = z.infer<typeof menuCommandSchema>;

/** How the desktop app behaves beside the agent's settings; kept by the desktop app on this PC. */
export const desktopChoiceSchema = z
  .object({
    /** Closing the window leaves the app working in the tray. */
    closeToTray: z.boolean(),
    /** The app starts when the user signs in; false where the system has no such thing. */
    startAtLogin: z.boolean(),
    /** Finished incidents come up as notifications too, not only failures. */
    notifyFinished: z.boolean(),
    /** Windows are drawn with the graphics processor; counts from the next start on. */
    isGpuUsed: z.boolean(),
  })
  .readonly();
/** See `desktopChoiceSchema`. */
export type DesktopChoice = z.infer<typeof desktopChoiceSchema>;

const count = z.int().min(0);

/** How the app's own processes fare since it started, and what it runs on. */
export const desktopDiagnosisSchema = z
  .object({
    /** Electron and Chromium, as they call themselves; missing where neither runs the app. */
    runtime: z.string().exactOptional(),
    isGpuUsed: z.boolean(),
    hasTray: z.boolean(),
    pageCrashes: count,
    pageHangs: count,
    gpuCrashes: count,
    processCrashes: count,
    /** How many faults in a row it was started again after. */
    restarts: count,
    /** The last self-test on this PC; missing: none was made. */
    selfTest: z
      .object({ at: z.string(), runtime: z.string(), ok: count, failed: count, skipped: count })
      .readonly()
      .exactOptional(),
  })
  .readonly();
/** See `desktopDiagnosisSchema`. */
export type DesktopDiagnosis = z.infer<typeof desktopDiagnosisSchema>;

/** The state of updates. */
export const updateStateSchema = z
  .discriminatedUnion('kind', [
    /** Switched off, by policy or because this is no installed app; `reason` is a sentence. */
    z.object({ kind: z.literal('off'), reason: z.string() }),
    z.object({ kind: z.literal('current'), checkedAt: z.string().exactOptional() }),
    /** The release is for `share` percent of the desks so far, and not yet for this one. */
    z.object({ kind: z.literal('held'), version: z.string(), share: z.number() }),
    z.object({ kind: z.literal('loading'), version: z.string() }),
    /** Loaded and verified; `update.install` installs it, and so does quitting where no password is asked for. */
    z.object({ kind: z.literal('ready'), version: z.string() }),
    z.object({ kind: z.literal('failed'), reason: z.string() }),
  ])
  .readonly();
/** See `updateStateSchema`. */
export type UpdateState = z.infer<typeof updateStateSchema>;

/** Pages of help that may be opened in the system's browser: fixed addresses, chosen by name only. */
export const helpPages = ['readme', 'operations', 'changelog', 'licences'] as const;
/** One of `helpPages`. */
export type HelpPage = (typeof helpPages)[number];

/**
 * What a page may ask of the desktop: no paths go in, except those that come from the system's own dialogs or drops.
 * Answers cross in the envelope of the calls (replySchema); errors are `Failure`s.
 */
export const desktopCommands = {
  /** Shows a queued clip's file in the file manager. Errors: NOT_FOUND, FILE_GONE-like codes of the agent. */
  revealClip: defineCall(z.strictObject({ clipId: z.string().max(64) }), done),
  /** The system's folder dialog; no `path` when it was left. */
  chooseFolder: defineCall(nothing, z.object({ path: z.string().exactOptional() }).readonly()),
  /** Saves a text that the pages made (CSV, diagnostics) where the system's dialog says; `isSaved` false when it was left. */
  saveText: defineCall(
    z.strictObject({ name: z.string().min(1).max(200), text: z.string().max(50_000_000) }),
    z.object({ isSaved: z.boolean() }).readonly(),
  ),
  openHelp: defineCall(z.strictObject({ page: z.enum(helpPages) }), done),
  'choice.get': defineCall(nothing, desktopChoiceSchema),
  'choice.set': defineCall(
    z
      .strictObject({
        closeToTray: z.boolean(),
        startAtLogin: z.boolean(),
        notifyFinished: z.boolean(),
        isGpuUsed: z.boolean(),
      })
      .partial(),
    desktopChoiceSchema,
  ),
  'diagnosis.get': defineCall(nothing, desktopDiagnosisSchema),
  /** The pages tell which commands can be given now, for the application menu and the tray. */
  'menu.set': defineCall(
    z.strictObject({
      commands: z.array(menuCommandSchema).max(100).readonly(),
      /** What the page is shown in: the native words follow it. Missing: as before. */
      language: z.string().max(35).exactOptional(),
    }),
    done,
  ),
  /** The page tells whether changes of the settings wait to be saved: a person is asked before they are lost by quitting. */
  'unsaved.set': defineCall(z.strictObject({ hasChanges: z.boolean() }), done),
  /** What a page found that was asked to try itself; `problem`: the agent did not answer it. */
  'selfTest.report': defineCall(
    z.strictObject({ problem: z.string().max(500).exactOptional(), codecs: z.string().max(500) }),
    done,
  ),
  'update.state': defineCall(nothing, updateStateSchema),
  /** Looks for an update now. */
  'update.check': defineCall(nothing, updateStateSchema),
  /** Ends the app by its protocol and installs what is ready; asks a person first while uploads run. */
  'update.install': defineCall(nothing, done),
} as const satisfies Readonly<Record<string, CallShape>>;

/** Name of a desktop command. */
export type DesktopCommandName = keyof typeof desktopCommands;
/** What a command takes. */
export type DesktopCommandInput<Name extends DesktopCommandName> = z.input<
  (typeof desktopCommands)[Name]['input']
>;
/** What a handler of a command gets. */
export type DesktopCommandArguments<Name extends DesktopCommandName> = z.output<
  (typeof desktopCommands)[Name]['input']
>;
/** What a command answers. */
export type DesktopCommandOutput<Name extends DesktopCommandName> = z.output<
  (typeof desktopCommands)[Name]['output']
>;

/** Events that the desktop app sends to the page. */
export const desktopEventSchema = z.discriminatedUnion('kind', [
  /** A command was chosen in a menu or the tray: `uploads.pauseAll`. */
  z.object({ kind: z.literal('command'), id: z.string() }).readonly(),
  /** An incident is to be shown: a deep link, or a notification that was clicked. */
  z.object({ kind: z.literal('showIncident'), incidentId: z.string() }).readonly(),
  /** All clips that failed are to be shown. */
  z.object({ kind: z.literal('showFailed') }).readonly(),
  /** Folders were given from outside (a second start, the menu): each is to be previewed and sent. */
  z.object({ kind: z.literal('addFolders'), paths: z.array(z.string()).readonly() }).readonly(),
  z.object({ kind: z.literal('updateState'), state: updateStateSchema }).readonly(),
  /** The page is to try what only a page can, and to answer with `selfTest.report`. */
  z.object({ kind: z.literal('selfTest') }).readonly(),
]);
/** See `desktopEventSchema`. */
export type DesktopEvent = z.infer<typeof desktopEventSchema>;

/**
 * What the preload puts on the page as `window.desktop`: functions that take and answer plain data. Both sides check
 * what crosses; no object of Electron does.
 */
export interface DesktopApi {
  /** Rejects only when the main process is gone. */
  call(request: unknown): Promise<unknown>;
  order(request: unknown): Promise<unknown>;
  /** Returns the function that unsubscribes. */
  onSignal(listener: (signal: unknown) => void): () => void;
  onEvent(listener: (event: unknown) => void): () => void;
  /** Paths of dropped files and folders, in their order; those that have none are left out. */
  pathsOf(files: readonly object[]): readonly string[];
}

import { z } from 'zod';
import { type CallShape, defineCall } from './envelope.ts';

const nothing = z.strictObject({});
const done = z.object({}).readonly();

/** A command of the pages as the native menus show it: its label, whether it is enabled, its shortcut. */
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

/** How the desktop app behaves, apart from the agent's settings; kept by the desktop app on this PC. */
export const desktopChoiceSchema = z
  .object({
    /** Closing the window leaves the app running in the tray. */
    closeToTray: z.boolean(),
    /** The app starts when the user signs in; false where the system does not support it. */
    startAtLogin: z.boolean(),
    /** Notifications are shown for finished incidents too, not only for failures. */
    notifyFinished: z.boolean(),
    /** Windows are drawn with the graphics processor; applies from the next start on. */
    isGpuUsed: z.boolean(),
  })
  .readonly();
/** See `desktopChoiceSchema`. */
export type DesktopChoice = z.infer<typeof desktopChoiceSchema>;

const count = z.int().min(0);

/** What happened to the app's own processes since it started, and what it runs on. */
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
    /** Consecutive faults before this start. */
    restarts: count,
    /** The last self-test on this PC; missing: none was run. */
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
    /** Switched off, by policy or because this is not an installed app; `reason` is a sentence. */
    z.object({ kind: z.literal('off'), reason: z.string() }),
    z.object({ kind: z.literal('current'), checkedAt: z.string().exactOptional() }),
    /** The release is for `share` percent of the desks so far, and not yet for this one. */
    z.object({ kind: z.literal('held'), version: z.string(), share: z.number() }),
    z.object({ kind: z.literal('loading'), version: z.string() }),
    /** Downloaded and verified; `update.install` installs it, and so does quitting where no password is needed. */
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
 * What a page may ask of the desktop app. No input is a path, except those that come from the system's own dialogs or
 * drops. Answers have the envelope of the calls (replySchema); errors are `Failure`s.
 */
export const desktopCommands = {
  /** Shows a queued clip's file in the file manager. Errors: NOT_FOUND, FILE_GONE-like codes of the agent. */
  revealClip: defineCall(z.strictObject({ clipId: z.string().max(64) }), done),
  /** Shows the system's folder dialog; no `path` when it was cancelled. */
  chooseFolder: defineCall(nothing, z.object({ path: z.string().exactOptional() }).readonly()),
  /**
   * Saves a text of the pages (CSV, diagnostics) where the system's dialog says; `isSaved` is false when it was
   * cancelled.
   */
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
  /** Sets the commands that are available now, for the application menu and the tray. */
  'menu.set': defineCall(
    z.strictObject({
      commands: z.array(menuCommandSchema).max(100).readonly(),
      /** Language of the page, which the native words follow. Missing: unchanged. */
      language: z.string().max(35).exactOptional(),
    }),
    done,
  ),
  /** Sets whether the page has unsaved settings: a person is asked before quitting loses them. */
  'unsaved.set': defineCall(z.strictObject({ hasChanges: z.boolean() }), done),
  /** What the page found in a self-test; `problem`: the agent did not answer it. */
  'selfTest.report': defineCall(
    z.strictObject({ problem: z.string().max(500).exactOptional(), codecs: z.string().max(500) }),
    done,
  ),
  'update.state': defineCall(nothing, updateStateSchema),
  /** Checks for an update now. */
  'update.check': defineCall(nothing, updateStateSchema),
  /** Quits the app and installs the ready update; asks a person first while uploads run. */
  'update.install': defineCall(nothing, done),
} as const satisfies Readonly<Record<string, CallShape>>;

/** Name of a desktop command. */
export type DesktopCommandName = keyof typeof desktopCommands;
/** What a caller passes to a command. */
export type DesktopCommandInput<Name extends DesktopCommandName> = z.input<
  (typeof desktopCommands)[Name]['input']
>;
/** What a handler of a command receives. */
export type DesktopCommandArguments<Name extends DesktopCommandName> = z.output<
  (typeof desktopCommands)[Name]['input']
>;
/** What a command returns. */
export type DesktopCommandOutput<Name extends DesktopCommandName> = z.output<
  (typeof desktopCommands)[Name]['output']
>;

/** Events that the desktop app sends to the page. */
export const desktopEventSchema = z.discriminatedUnion('kind', [
  /** A command was chosen in a menu or the tray: `uploads.pauseAll`. */
  z.object({ kind: z.literal('command'), id: z.string() }).readonly(),
  /** Show an incident: a deep link, or a click on a notification. */
  z.object({ kind: z.literal('showIncident'), incidentId: z.string() }).readonly(),
  /** Show all failed clips. */
  z.object({ kind: z.literal('showFailed') }).readonly(),
  /** Folders came from outside (a second start, the menu): preview and send each. */
  z.object({ kind: z.literal('addFolders'), paths: z.array(z.string()).readonly() }).readonly(),
  z.object({ kind: z.literal('updateState'), state: updateStateSchema }).readonly(),
  /** Test what only a page can, and answer with `selfTest.report`. */
  z.object({ kind: z.literal('selfTest') }).readonly(),
]);
/** See `desktopEventSchema`. */
export type DesktopEvent = z.infer<typeof desktopEventSchema>;

/**
 * What the preload gives the page as `window.desktop`: functions that accept and return plain data. Both sides check
 * what crosses; no object of Electron does.
 */
export interface DesktopApi {
  /** Rejects only when the main process is gone. */
  call(request: unknown): Promise<unknown>;
  order(request: unknown): Promise<unknown>;
  /** Returns the function that unsubscribes. */
  onSignal(listener: (signal: unknown) => void): () => void;
  onEvent(listener: (event: unknown) => void): () => void;
  /** Paths of dropped files and folders, in order; those without one are left out. */
  pathsOf(files: readonly object[]): readonly string[];
}

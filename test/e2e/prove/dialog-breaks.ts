import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of the system’s folder and save dialogs must notice. */
export const dialogBreaks = [
  ...breaksSeenBy('choosing.spec.ts', [
    [
      'electron/desktop/desktop-commands.ts',
      'return ok(path !== undefined && isAbsolute(path) ? { path } : {});',
      'return ok(path !== undefined ? { path } : {});',
      'a file, a folder that is gone and a path that is none are named, and nothing of them is sent',
    ],
    [
      'electron/desktop/window/native-dialogs.ts',
      'return answer.canceled ? undefined : answer.filePaths[0];',
      "return answer.canceled ? '/' : answer.filePaths[0];",
      'an operator adds an export folder with the dialog of the system, after leaving it once',
      'an operator has a second folder watched, chosen with the dialog of the system',
    ],
    [
      'renderer/ui/button.tsx',
      'isDisabled={dialog.isPending}',
      'isDisabled={false}',
      'an operator adds an export folder with the dialog of the system, after leaving it once',
    ],
  ]),
  ...breaksSeenBy('saving.spec.ts', [
    [
      'electron/desktop/desktop-commands.ts',
      'if (place === undefined) return ok({ isSaved: false });',
      'if (place === undefined) return ok({ isSaved: true });',
      'support saves the diagnostics bundle: the file has what was shown, and nothing else',
      'an administrator saves the users: all of them, once, and leaving the dialog says nothing',
    ],
    [
      'electron/desktop/desktop-commands.ts',
      'await replaceFile(place, text, { rights: OWNER_ONLY, needsFolder: true });',
      'await replaceFile(place, text.trimEnd());',
      'support saves the diagnostics bundle: the file has what was shown, and nothing else',
      'an administrator saves the users: all of them, once, and leaving the dialog says nothing',
      'an operator saves the actions that are listed',
      'an administrator saves what became of an import',
    ],
    [
      'electron/desktop/desktop-commands.ts',
      'return err(cannotSave(place, error));',
      'return ok({ isSaved: error === undefined });',
      'a place that cannot be written is named with what to do, and the text is still there to be saved',
    ],
    [
      'electron/agent/settings/guarded-path.ts',
      '    await rm(temporary, { force: true }).catch(() => undefined);\n',
      '',
      'a place that cannot be written is named with what to do, and the text is still there to be saved',
    ],
    [
      'renderer/ui/save-file.ts',
      "if (answer.ok) return answer.value.isSaved ? 'saved' : 'left';",
      "if (answer.ok) return 'saved';",
      'an administrator saves the users: all of them, once, and leaving the dialog says nothing',
    ],
  ]),
];

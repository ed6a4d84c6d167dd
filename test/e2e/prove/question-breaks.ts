import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of the system’s questions must notice. */
export const questionBreaks = [
  ...breaksSeenBy('confirming.spec.ts', [
    [
      'electron/agent/calls/confirmations.ts',
      '  if (!isElsewhere && !isOtherwise) return undefined;\n',
      '  if (!isElsewhere || !isOtherwise) return undefined;\n',
      'an operator who changes the service is asked where the key goes; leaving the question keeps it here',
    ],
    [
      'electron/desktop/security/agent-calls.ts',
      'const isConfirmed = answer === CARRY_OUT && !gone.aborted;',
      'const isConfirmed = answer >= CANCEL && !gone.aborted;',
      'an operator who changes the service is asked where the key goes; leaving the question keeps it here',
      'an administrator who deletes a user is asked by the system too, and exactly that user goes',
      'an administrator replaces the key: cancelled the one before it stays in use',
    ],
    [
      'electron/desktop/security/agent-calls.ts',
      'const isConfirmed = answer === CARRY_OUT && !gone.aborted;',
      'const isConfirmed = answer >= CANCEL;',
      'a question whose page is loaded again or crashes is over: what it asked for is not carried out',
    ],
    [
      'electron/desktop/security/agent-calls.ts',
      '      gone,\n    );\n    const isConfirmed',
      '    );\n    const isConfirmed',
      'a question whose page is loaded again or crashes is over: what it asked for is not carried out',
    ],
    [
      'electron/agent/calls/confirmations.ts',
      '  if (programs.length === 0) return undefined;\n',
      '  if (programs.length < 2) return undefined;\n',
      'an operator sends one after the system asked about that very file, and not before',
    ],
    [
      'electron/agent/calls/confirmations.ts',
      'const visible = visibleName(text);',
      'const visible = text;',
      'the system’s question shows what in a user’s name would hide or turn its text',
    ],
    [
      'electron/desktop/security/agent-calls.ts',
      'if (isAsking) return err(alreadyAsking);',
      '',
      'while one question is open, a second request is refused and nobody is buried under questions',
    ],
    [
      'electron/agent/calls/confirmations.ts',
      'return facts.hasKey === false ? undefined : replaceKey(say);',
      'return facts.hasKey !== undefined ? undefined : replaceKey(say);',
      'an administrator replaces the key: cancelled the one before it stays in use',
    ],
    [
      'electron/agent/calls/confirmations.ts',
      'userName: user?.ok === true ? nameOf(user.value) : undefined,',
      'userName: undefined,',
      'an administrator who deletes a user is asked by the system too, and exactly that user goes',
    ],
    [
      'renderer/features/settings/settings.module.css',
      '.saveBar {\n',
      '.saveBar > :global(.buttons) {\n  justify-content: flex-end;\n}\n\n.saveBar {\n',
      'an operator who changes the service is asked where the key goes; leaving the question keeps it here',
    ],
  ]),
];

import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of the organisation’s policy must notice. */
export const policyBreaks = [
  ...breaksSeenBy('managed.spec.ts', [
    [
      'renderer/features/settings/use-settings-form.ts',
      'view.file === undefined || isManaged(view.managed ?? [], path)',
      'view.file === undefined && isManaged(view.managed ?? [], path)',
      'an operator sees what is locked',
      'a folder that the organisation names is watched, the one of this PC is not, and neither can be changed here',
    ],
    [
      'renderer/features/settings/use-settings-form.ts',
      "const locked = t('settings.locked');",
      "const locked = '';",
      'an operator sees what is locked',
    ],
    [
      'electron/agent/settings/settings-file.ts',
      'return [...managed, ...untouched].reduce(',
      'return [...untouched].reduce(',
      'an operator sees what is locked',
    ],
    [
      'electron/agent/settings/settings-file.ts',
      'if (paths.length === 0) return undefined;',
      'if (paths.length >= 0) return undefined;',
      'an operator sees what is locked',
    ],
    [
      'electron/agent/settings/policy/read-policy.ts',
      'ownerId !== 0 || (mode & OTHERS_WRITE) !== 0;',
      'ownerId !== 0 || mode < 0;',
      'a policy that every account may write ends the start with what is wrong and what to do',
    ],
    [
      'electron/agent/settings/policy/read-policy.ts',
      'guards.push({ path: folder, ownerId: around.uid, mode: around.mode });',
      '',
      'a policy in a folder that every account may write to ends the start with what is wrong and what to do',
    ],
    [
      'electron/desktop/start-app.ts',
      'if (!running.ok) return reportStartFailure(running.error, { app, dialogs, relaunch, quit, say });',
      'if (!running.ok) return;',
      'a policy that breaks off ends the start with what is wrong and what to do',
    ],
    [
      'electron/desktop/quitting/end-on-fault.ts',
      'await relaunch();\n  app.exit(EXIT_FAULT);',
      'await relaunch();\n  app.exit(EXIT_FAULT - 1);',
      'a policy that breaks off ends the start with what is wrong and what to do',
    ],
    [
      'electron/agent/core/settings/layer-settings.ts',
      "['managed', 'commandLine', 'user', 'recommended'] as const",
      "['commandLine', 'user', 'managed', 'recommended'] as const",
      'an operator sees what is locked',
      'a folder that the organisation names is watched, the one of this PC is not, and neither can be changed here',
    ],
    [
      'electron/agent/core/settings/layer-settings.ts',
      "['managed', 'commandLine', 'user', 'recommended'] as const",
      "['managed', 'commandLine', 'recommended', 'user'] as const",
      'an operator sees what is locked',
    ],
  ]),
  ...breaksSeenBy('test/unit/agent/settings/policy/read-policy.test.ts', [
    [
      'electron/agent/settings/policy/read-policy.ts',
      "if (!facts.isFile()) return err('it is not a regular file');",
      'if (!facts.isFile()) return ok(undefined);',
      'take a folder in the place of a file for no file',
    ],
    [
      'electron/agent/settings/policy/policy-values.ts',
      'const issues = parsed.success ? [] : parsed.error.issues;',
      'const issues = parsed.success ? [] : parsed.error.issues.slice(1);',
      '{"concurentFiles":3}',
      '{"concurrentFiles":99}',
    ],
  ]),
];

import type { MenuItemConstructorOptions } from 'electron/main';
import { expect, it } from 'vitest';
import { followLanguage } from '../../../../electron/desktop/choice-store.ts';
import { createNativeWords } from '../../../../shared/words/native-words.ts';
import { finishing, quitQuestion } from '../../../../electron/desktop/quitting/quit-question.ts';
import { confirmationFor } from '../../../../electron/agent/calls/confirmations.ts';
import { trayMenu, trayStateOf } from '../../../../electron/desktop/tray/tray.ts';
import { appMenu } from '../../../../electron/desktop/window/app-menu.ts';
import { collectLog, healthOf, progressOf } from '../../../helpers/desk-tools.ts';

const silent = (): void => undefined;

function labelsOf(items: readonly MenuItemConstructorOptions[]): readonly string[] {
  return items.flatMap(({ type, label = '(none)', submenu }) => [
    ...(type === 'separator' ? [] : [label]),
    ...(Array.isArray(submenu) ? labelsOf(submenu) : []),
  ]);
}

it.each(['darwin', 'linux', 'win32'] as const)(
  'speaks the language of the page in every menu and question on %s',
  (platform) => {
    const { say, speak } = createNativeWords();
    speak('en-XA');
    const commands = {
      open: silent,
      pause: silent,
      resume: silent,
      showFailed: silent,
      addFolder: silent,
      quit: silent,
    };
    const desk = {
      health: healthOf({ queue: { failed: 2, waiting: 3, refused: 1 } }),
      progress: progressOf(),
    };
    const menu = appMenu({ platform, commands: [], onCommand: silent, onHelp: silent, onQuit: silent, say });
    const question = quitQuestion({ left: { clips: 2, bytes: 0 }, losesChanges: false }, say);
    const removal = { call: 'users.remove', input: { userId: '7' } };
    const facts = { service: undefined, hasKey: true, userName: 'Ada' };
    const texts = [
      ...labelsOf(menu),
      ...labelsOf(trayMenu(trayStateOf(desk, say), commands, say)).flatMap((label) => label.split(' · ')),
      ...[question, finishing(say)].flatMap((each) => [
        each?.message,
        each?.detail,
        ...(each?.buttons ?? []),
      ]),
      ...Object.values(confirmationFor(removal, facts, say) ?? {}),
    ];
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.filter((text) => text === undefined || !/^\[.*\]$/su.test(text))).toEqual([]);
  },
);

it('keeps a value together where the text runs from right to left', () => {
  const { say, speak } = createNativeWords();
  speak('ar-XB');
  expect(say('tray.leftBytes', { count: 2, size: '1.2 MB' })).toContain('\u20681.2 MB\u2069');
});

it('says English words where it has none in a language', () => {
  const { say, speak } = createNativeWords();
  speak('de');
  expect(say('tray.failed', { count: 1 })).toBe('1 clip failed');
  expect(say('tray.failed', { count: 2 })).toBe('2 clips failed');
});

it('keeps the language of the page for the next start, once, and goes on when it cannot', async () => {
  const kept: string[] = [];
  const { logger, lines } = collectLog();
  const words = createNativeWords();
  const speak = followLanguage(
    words,
    {
      async keepLanguage(language) {
        kept.push(language);
        if (language === 'ar-XB') throw new Error('full');
      },
    },
    logger,
  );
  for (const language of ['en', 'en-XA', 'en-XA', 'ar-XB']) speak(language);
  await expect.poll(() => lines).toHaveLength(1);
  expect(kept).toEqual(['en-XA', 'ar-XB']);
  expect(words.say('quit.quit')).toContain('Quit');
});

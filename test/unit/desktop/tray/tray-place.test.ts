import { describe, expect, it } from 'vitest';
import { hasTrayPlace } from '../../../../electron/desktop/tray/tray-place.ts';

const bus = (answers: Readonly<Record<string, string>>) => async (program: string) => {
  const answer = answers[program];
  if (answer === undefined) throw new Error(`spawn ${program} ENOENT`);
  return answer;
};

describe('whether an icon in the tray is seen', () => {
  it.each([
    [{ '/usr/bin/gdbus': '(true,)\n' }, true],
    [{ '/usr/bin/gdbus': '(false,)\n' }, false],
    [{ '/usr/bin/dbus-send': 'method return time=1.2\n   boolean true\n' }, true],
    [{ '/usr/bin/dbus-send': 'method return time=1.2\n   boolean false\n' }, false],
    [{}, false],
  ])('on Linux the session says: %j', async (answers, isSeen) => {
    expect(await hasTrayPlace('linux', bus(answers))).toBe(isSeen);
  });

  it.each(['win32', 'darwin'] as const)('%s has always one', async (platform) => {
    expect(await hasTrayPlace(platform, bus({}))).toBe(true);
  });
});

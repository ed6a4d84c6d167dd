import { describe, expect, it } from 'vitest';
import {
  refuseDangerousStart,
  reportRefusedStart,
} from '../../../../electron/desktop/security/dangerous-switches.ts';
import { createNativeWords } from '../../../../shared/words/native-words.ts';

const refused = (args: readonly string[], isPackaged = true, platform: NodeJS.Platform = 'linux') =>
  refuseDangerousStart({ args, isPackaged, platform });

const always = [
  '--disable-web-security',
  '--ignore-certificate-errors',
  '--ignore-certificate-errors-spki-list=abc',
  '--host-resolver-rules=MAP * 127.0.0.1',
  '--host-rules=MAP * 127.0.0.1',
  '--load-extension=/x',
  '--log-net-log=/x',
  '--ssl-key-log-file=/x',
  '--proxy-server=evil:1',
  '--proxy-pac-url=http://evil/',
  '--no-proxy-server',
  '--wait-for-debugger-children',
  '--enable-crash-reporter',
  '--crash-dumps-dir=/x',
  '--disable-features=NetworkServiceSandbox',
  '--single-process',
  '--no-zygote',
  '--renderer-cmd-prefix=evil',
  '--unsafely-treat-insecure-origin-as-secure=http://evil',
  '--remote-debugging-address=0.0.0.0',
  '--remote-allow-origins=*',
];
const installedOnly = [
  '--remote-debugging-port=9222',
  '--remote-debugging-pipe',
  '--inspect',
  '--inspect-brk=9229',
  '--inspect-port=0',
  '--no-sandbox',
  '--js-flags=--expose-gc',
  '--enable-automation',
  '-r',
  '--require=/x.js',
];
const harmless = [
  '--hidden',
  '--user-data-dir=/x',
  '--ozone-platform=wayland',
  '--enable-features=WaylandWindowDecorations',
  '--force-device-scale-factor=2',
  '--lang=de',
  '-psn_0_12345',
  '/exports/inspect',
  'no-sandbox',
  'vms-export-agent://incident/x',
  '',
  '-',
  '--',
];

describe('switches that would open the app to others', () => {
  it.each([...always, ...installedOnly])('an installed app does not start with %s', (argument) => {
    const [name = ''] = argument.replace(/^-+/, '').split('=');
    const refusal = refused(['/exports/a', argument]);
    expect(refusal?.exitCode).toBe(64);
    expect(refusal?.name).toBe(name.toLowerCase());
  });

  it.each(always)('nor does one in development with %s', (argument) => {
    expect(refused([argument], false)?.exitCode).toBe(64);
  });

  it.each(installedOnly)('in development %s is allowed', (argument) => {
    expect(refused([argument], false)).toBeUndefined();
  });

  it.each(harmless)('"%s" is no reason', (argument) => {
    expect(refused([argument])).toBeUndefined();
  });

  it('knows the other spellings: capitals, one dash, the slash of Windows', () => {
    expect(refused(['--Remote-Debugging-Port=1'])).toBeDefined();
    expect(refused(['-inspect'])).toBeDefined();
    expect(refused(['/no-sandbox'], true, 'win32')).toBeDefined();
    expect(refused(['/no-sandbox'], true, 'linux')).toBeUndefined();
  });

  it.each([' --no-sandbox', '\t--no-sandbox\n', '--no-sandbox ', '\u00a0--inspect'])(
    'knows them with white space around, which Chromium cuts off: %j',
    (argument) => expect(refused([argument])).toBeDefined(),
  );

  it('also after two dashes alone: Node reads on where Chromium stops', () => {
    expect(refused(['--', '--inspect'])).toBeDefined();
  });
});

describe('a refused start', () => {
  const byPerson = { exitCode: 64, name: 'inspect', isOwnScripts: false };
  const inWords = /^VMS Export Agent did not start: the --inspect switch would weaken/;

  function tell(
    platform: NodeJS.Platform,
    environment: Record<string, string>,
    present: readonly string[],
    { refusal = byPerson, language = 'en' } = {},
  ) {
    const seen: string[] = [];
    const { say, speak } = createNativeWords();
    speak(language);
    reportRefusedStart(refusal, {
      platform,
      environment,
      dialog: { showErrorBox: (_title, content) => void seen.push(content) },
      say,
      exists: (program) => present.includes(program),
      run: (program, args) => void seen.push(`${program} ... ${args.at(-1)}`),
    });
    return seen;
  }

  it.each(['win32', 'darwin'] as const)('is told in a box of %s', (platform) => {
    expect(tell(platform, {}, [])).toEqual([expect.stringMatching(inWords)]);
  });

  it('is told by a program of the Linux desktop, since Electron shows nothing before it is up', () => {
    const present = ['/usr/bin/xmessage', '/usr/bin/kdialog'];
    const said = [expect.stringMatching(/^\/usr\/bin\/kdialog \.\.\. VMS Export Agent did not start/)];
    expect(tell('linux', { DISPLAY: ':0' }, present)).toEqual(said);
    expect(tell('linux', { WAYLAND_DISPLAY: 'wayland-0' }, present)).toEqual(said);
    expect(tell('linux', { DISPLAY: ':0' }, [])).toEqual([]);
    expect(tell('linux', {}, present)).toEqual([]);
  });

  it('names the package to take where the start script of the AppImage added the switch', () => {
    const start = { args: ['--no-sandbox'], isPackaged: true, platform: 'linux' } as const;
    expect(refuseDangerousStart(start)?.isOwnScripts).toBe(false);
    const refusal = refuseDangerousStart({ ...start, isAppImage: true }) ?? byPerson;
    expect(refusal.isOwnScripts).toBe(true);
    expect(tell('win32', {}, [], { refusal })).toEqual([expect.stringContaining('Install the .deb')]);
  });

  it('is told in the language of the catalogue', () => {
    for (const refusal of [byPerson, { ...byPerson, isOwnScripts: true }])
      expect(tell('darwin', {}, [], { refusal, language: 'en-XA' })).toEqual([
        expect.stringMatching(/^\[.*~\]$/),
      ]);
  });
});

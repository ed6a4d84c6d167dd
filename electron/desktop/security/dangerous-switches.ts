/** Exit code of a start that was refused for its switches: wrong usage, as sysexits.h has it. */
const EXIT_USAGE = 64;

/** Switches by which another program could look into this one, or take its guards away; `*`: all that begin so. */
const dangerous: readonly string[] = [
  // Ways in
  'remote-debugging-*',
  'remote-allow-origins',
  'inspect*',
  'debug*',
  'js-flags',
  'load-extension',
  'disable-extensions-except',
  'enable-automation',
  'browser-subprocess-path',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'ppapi-plugin-launcher',
  'wait-for-debugger*',
  'enable-crash-reporter*',
  'crash-dumps-dir',
  'gpu-launcher',
  'require',
  'r',
  // What separates pages from the system and from each other
  'no-sandbox',
  'no-zygote*',
  'disable-gpu-sandbox',
  'disable-setuid-sandbox',
  'disable-namespace-sandbox',
  'disable-seccomp-filter-sandbox',
  'allow-sandbox-debugging',
  'single-process',
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'enable-blink-features',
  'disable-blink-features',
  'disable-features',
  // Traffic
  'ignore-certificate-errors*',
  'host-resolver-rules',
  'host-rules',
  'log-net-log',
  'net-log-*',
  'ssl-key-log-file',
  'proxy-*',
  'no-proxy-server',
];

/** What a developer's run may have of them: debuggers, the test driver, containers without user namespaces. */
const allowedInDevelopment: readonly string[] = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'inspect*',
  'enable-automation',
  'js-flags',
  'no-sandbox',
  'require',
  'r',
];

/** Why the program does not start. */
export interface RefusedStart {
  readonly exitCode: number;
  readonly message: string;
}

/** How the program was started. */
export interface StartFacts {
  readonly args: readonly string[];
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
}

/** The refusal of a start with a dangerous switch, the first of them named; undefined when there is none. */
export function refuseDangerousStart({ args, isPackaged, platform }: StartFacts): RefusedStart | undefined {
  const found = args
    .map((argument) => switchName(argument, platform))
    .find((name) => name !== undefined && isDangerous(name, isPackaged));
  if (found === undefined) return undefined;
  return {
    exitCode: EXIT_USAGE,
    message: `VMS Export Agent does not start with --${found}: it would open the program to others. Start it without this switch.`,
  };
}

function isDangerous(name: string, isPackaged: boolean): boolean {
  if (!isPackaged && isListed(name, allowedInDevelopment)) return false;
  return isListed(name, dangerous);
}

const isListed = (name: string, list: readonly string[]): boolean =>
  list.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));

/** Windows takes `/name` too. Chromium cuts white space off first, and cares neither for capitals nor for what follows `=`. */
function switchName(argument: string, platform: NodeJS.Platform): string | undefined {
  const prefix = platform === 'win32' ? /^(?:--?|\/)/ : /^--?/;
  const [name = ''] = argument.trim().split('=', 1);
  return prefix.test(name) ? name.replace(prefix, '').toLowerCase() : undefined;
}

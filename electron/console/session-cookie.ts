/** Cookies of one name that are tried: another local server can set some of ours beside it. */
const MAX_TRIED = 4;

/** Browsers do not separate cookies by port: the name does, between two consoles of one machine. */
function cookieName(port: number): string {
  return `vms_console_${port}`;
}

/** The header that gives a browser its session, for as long as the browser runs. */
export function writeSessionCookie(port: number, secret: string): string {
  return `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/`;
}

/** The secrets that a browser sent for this port. */
export function readSessionCookies(header: string | undefined, port: number): readonly string[] {
  const start = `${cookieName(port)}=`;
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
  return own.slice(0, MAX_TRIED);
}

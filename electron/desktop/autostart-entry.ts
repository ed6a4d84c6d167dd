/** What the entry says beside the program. */
interface Entry {
  readonly name: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The text of an autostart entry of a Linux desktop; undefined when the program's path cannot be written into one, since
 * a line end in it would begin another line of the entry.
 */
export function autostartEntry({ name, program, args }: Entry): string | undefined {
  const words = [program, ...args];
  // eslint-disable-next-line no-control-regex
  if (words.some((word) => /[\u0000-\u001f\u007f]/.test(word))) return undefined;
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${name}`,
    `Exec=${words.map(quote).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quoted for the command line first, then for the file: both read backslashes, and the entry reads per cent signs. */
function quote(word: string): string {
  const forCommand = `"${word.replaceAll(/["`$\\]/g, '\\$&')}"`;
  return forCommand.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}

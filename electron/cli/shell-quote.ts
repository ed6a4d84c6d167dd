/** Words that every shell takes as they are. */
const PLAIN = /^[\w+:,./-]+$/;

/** A word as it is typed at a prompt, so that it arrives as it is. */
export function shellQuote(word: string, platform: NodeJS.Platform): string {
  if (PLAIN.test(word)) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

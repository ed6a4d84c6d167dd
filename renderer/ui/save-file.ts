/** How long the browser has to begin saving, milliseconds: the address holds the bytes in memory. */
const KEEP_MS = 60_000;

/** Lets the browser save a text as a file, under the name that it proposes. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
}

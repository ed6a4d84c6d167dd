/** Longest name that every file system takes, characters; some count bytes, of which a character has up to four. */
const LONGEST_NAME = 60;
const LONGEST_EXTENSION = 8;
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
/** What a name may not have on one of the systems, what hides or turns text, and what begins a hidden file or an option. */
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\ufffd]+/gu;

/** A name that a page proposed, reduced to one that can be offered in a save dialog: no folders, nothing hidden. */
export function safeFileName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replaceAll(UNSAFE, '-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.-]+/, '')
    .replace(/[\s.]+$/, '');
  const dot = clean.lastIndexOf('.');
  const hasExtension = dot > 0 && clean.length - dot - 1 <= LONGEST_EXTENSION;
  const extension = hasExtension ? clean.slice(dot) : '';
  const stem = [...clean.slice(0, clean.length - extension.length)].slice(0, LONGEST_NAME).join('').trimEnd();
  const first = stem.split('.')[0] ?? '';
  if (stem === '') return `export${extension}`;
  return DEVICE.test(first.trim()) ? `export-${stem}${extension}` : `${stem}${extension}`;
}

/** Deepest nesting that any answer of the service needs, with a wide margin. */
const MAX_DEPTH = 32;

/**
 * Measures JSON text before it is parsed: `JSON.parse` takes millions of nested levels and rounds numbers
 * over 2^53 without a word. Answers what is wrong, or undefined.
 */
export function checkJsonText(text: string): 'too-deep' | 'unsafe-number' | undefined {
  let depth = 0;
  let index = 0;
  while (index < text.length) {
    const char = text.charCodeAt(index);
    if (char === 0x22) {
      index = endOfString(text, index);
    } else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) return 'too-deep';
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const end = endOfNumber(text, index);
      if (!isSafeNumber(text.slice(index, end))) return 'unsafe-number';
      index = end - 1;
    }
    index += 1;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) {
    index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  }
  return index;
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && '0123456789.eE+-'.includes(text.charAt(index))) index += 1;
  return index;
}

function isSafeNumber(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(digits) || Number.isSafeInteger(value);
}

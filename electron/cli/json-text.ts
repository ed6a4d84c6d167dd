/** Characters that JSON leaves as they are and that could still steer a terminal. */
const STEERING = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON that means the same everywhere and shows harmlessly: what could steer a terminal is escaped. */
export function jsonText(value: unknown, indentSpaces = 0): string {
  return JSON.stringify(value, undefined, indentSpaces).replaceAll(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

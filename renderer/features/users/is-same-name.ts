/** Accents can be written in two ways, and spaces are hard to count: neither makes another name. */
const comparable = (name: string): string => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ');

/** Whether the typed name is that name. Small and large letters count. */
export function isSameName(typed: string, name: string): boolean {
  return comparable(typed) !== '' && comparable(typed) === comparable(name);
}

/** One line when a field differs from what it must be, otherwise none. */
export function differs(field: string, is: unknown, mustBe: unknown): readonly string[] {
  return is === mustBe ? [] : [`${field} is ${shown(is)}, not ${shown(mustBe)}`];
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

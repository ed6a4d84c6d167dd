/** Closes a switch over a union: adding a member without handling it is a type error here. Throws if reached at run time. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}

/** Properties of all objects that libraries give their own objects by plain assignment, at any time. */
const OVERRIDDEN: readonly PropertyKey[] = [
  'constructor',
  'hasOwnProperty',
  'toLocaleString',
  'toString',
  'valueOf',
];

/**
 * Closes `Object.prototype`: foreign data that reaches a careless merge can change no other object, and `__proto__`
 * is a name like any other. To be called once, after the program's own modules are loaded. What libraries override on
 * their own objects they still can: a frozen property alone would refuse that too.
 */
export function harden(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__');
  for (const name of OVERRIDDEN) makeOverridable(name);
  Object.freeze(Object.prototype);
}

function makeOverridable(name: PropertyKey): void {
  const value: unknown = Reflect.get(Object.prototype, name);
  // eslint-disable-next-line no-extend-native -- it takes possibilities away
  Object.defineProperty(Object.prototype, name, {
    get: () => value,
    set(this: object, own: unknown) {
      if (this === Object.prototype) throw new TypeError(`${String(name)} of all objects stays as it is`);
      Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: false,
  });
}

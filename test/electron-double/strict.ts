import type { EventEmitter } from 'node:events';

type EventMethod =
  | 'on'
  | 'once'
  | 'off'
  | 'addListener'
  | 'removeListener'
  | 'removeAllListeners'
  | 'listenerCount';
/** Taken from an emitter: their types have one overload per event, which no substitute can spell out. */
const eventMethods: ReadonlySet<PropertyKey> = new Set<EventMethod>([
  'on',
  'once',
  'off',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'listenerCount',
]);
/** Accessed by the language itself (await, JSON, inspection), never by the app. */
const askedByLanguage: ReadonlySet<PropertyKey> = new Set(['then', 'toJSON', 'constructor']);

/** The members of an Electron object that the double has, each with its real name and type. */
export type Members<Real> = { readonly [Key in keyof Real]?: Real[Key] };

function unknownMember(name: string, key: string): Error {
  return new Error(
    `electron-double has no ${name}.${key}; add it in test/electron-double if the app needs it.`,
  );
}

/**
 * An object of Electron's type that has only these members. Using any other is a mistake that must not go unnoticed: it
 * throws, on reading and on writing. A member that electron.d.ts does not have is a type error here.
 */
export function strict<Real extends object>(
  name: string,
  members: Members<Real>,
  events?: EventEmitter,
): Real {
  const proxy: Real = new Proxy<Real>(members as Real, {
    get(target, key) {
      if (Object.hasOwn(target, key)) return Reflect.get(target, key);
      if (typeof key === 'symbol' || askedByLanguage.has(key)) return undefined;
      if (events !== undefined && eventMethods.has(key)) return eventMethod(events, key, proxy);
      throw unknownMember(name, key);
    },
    set(target, key, value) {
      if (!Object.hasOwn(target, key)) throw unknownMember(name, String(key));
      return Reflect.set(target, key, value);
    },
  });
  return proxy;
}

function eventMethod(events: EventEmitter, key: string, self: object): (...args: unknown[]) => unknown {
  return (...args) => {
    const method: unknown = Reflect.get(events, key);
    if (typeof method !== 'function') throw unknownMember('events', key);
    const result: unknown = Reflect.apply(method, events, args);
    return result === events ? self : result;
  };
}

/** A class of Electron: its constructor and its static members. */
export function strictClass<Class extends abstract new (...args: never[]) => object>(
  name: string,
  construct: (...args: ConstructorParameters<Class>) => InstanceType<Class>,
  statics: Members<Class>,
): Class {
  const target = Object.assign(function make() {}, statics);
  return new Proxy(target as unknown as Class, {
    construct: (_target, args) => construct(...(args as ConstructorParameters<Class>)),
    get(_target, key) {
      if (Object.hasOwn(statics, key)) return Reflect.get(statics, key);
      if (typeof key === 'symbol' || askedByLanguage.has(key) || key === 'prototype') return undefined;
      throw unknownMember(name, key);
    },
  });
}

/** An event as listeners get it; `defaultPrevented` tells whether they prevented it. */
export interface DoubleEvent {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

/** An event that can be prevented, with the fields that Electron documents for it. */
export function preventable<Fields extends object>(fields: Fields): DoubleEvent & Fields {
  let isPrevented = false;
  return Object.defineProperties(fields, {
    preventDefault: { value: () => void (isPrevented = true) },
    defaultPrevented: { get: () => isPrevented },
  }) as DoubleEvent & Fields;
}

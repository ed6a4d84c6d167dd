import { decode, encode } from './plain-data.ts';

// These functions run in the page: each is sent there as text, so it can only use its arguments.
declare const document: EventTarget;
declare const window: { addEventListener(type: 'contextmenu', listener: (event: PageEvent) => void): void };
declare function getSelection(): unknown;

interface PageEvent {
  readonly defaultPrevented: boolean;
  composedPath(): readonly unknown[];
}

/** Members of elements that contain text. */
interface TextPlace {
  readonly isContentEditable?: boolean;
  readonly readOnly?: boolean;
  readonly value?: unknown;
  readonly selectionStart?: number | null;
  readonly selectionEnd?: number | null;
}

/** The place where a person opened a context menu. */
export type ClickedText = Pick<Electron.ContextMenuParams, 'isEditable' | 'selectionText'> & {
  readonly editFlags: Pick<Electron.EditFlags, 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'>;
};

/** A value on its way between the two worlds of a page. Functions stay where they are and cross as numbers. */
type Crossing =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly message: string }
  | { readonly kind: 'promise'; readonly promise: number };

/**
 * The page's half of contextBridge. The worlds of a page share its document, and an event's detail is cloned from one
 * world to the other, so events with a secret name carry what contextBridge carries.
 */
export function runInMainWorld(secret: string): void {
  const callbacks: ((...args: unknown[]) => unknown)[] = [];
  const settled = new Map<number, (crossing: Crossing) => void>();
  const tell = (name: string, detail: unknown): boolean =>
    document.dispatchEvent(new CustomEvent(`${secret}${name}`, { detail }));
  const hear = (name: string, listener: (detail: never) => unknown): void =>
    document.addEventListener(`${secret}${name}`, (event) => {
      listener((event as CustomEvent<never>).detail);
    });
  let answer: Crossing = { kind: 'value', value: undefined };

  function pack(value: unknown): unknown {
    if (typeof value === 'function') return { bridgeCallback: callbacks.push(value as () => unknown) - 1 };
    if (Array.isArray(value)) return value.map((item) => pack(item));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]));
  }
  function unpack(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => unpack(item));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    if ('bridgeFunction' in value) return proxyOf(value.bridgeFunction);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
  }
  function take(crossing: Crossing): unknown {
    if (crossing.kind === 'value') return unpack(crossing.value);
    if (crossing.kind === 'thrown') throw new Error(crossing.message);
    return new Promise((resolve) => settled.set(crossing.promise, resolve)).then((end) =>
      take(end as Crossing),
    );
  }
  function proxyOf(id: unknown): (...args: unknown[]) => unknown {
    return (...args) => {
      tell('call', { id, args: args.map((value) => pack(value)) });
      return take(answer);
    };
  }
  hear('answer', (crossing: Crossing) => void (answer = crossing));
  hear('callback', ({ id, args }: { id: number; args: unknown[] }) => void callbacks[id]?.(...args));
  hear('settle', ({ promise, crossing }: { promise: number; crossing: Crossing }) => {
    settled.get(promise)?.(crossing);
    settled.delete(promise);
  });
  hear('expose', ({ key, api }: { key: string; api: unknown }) => {
    const value = Object.freeze(unpack(api));
    Object.defineProperty(globalThis, key, { value, enumerable: true, writable: false, configurable: false });
  });
}

/** The preload's world: the modules that a sandboxed preload has, then the preload itself. */
export function runInPreloadWorld(
  secret: string,
  codec: { readonly encode: typeof encode; readonly decode: typeof decode },
  preload: (load: (name: string) => unknown) => void,
): void {
  type Callable = (...args: unknown[]) => unknown;
  const world = globalThis as unknown as {
    readonly top: unknown;
    readonly window: unknown;
    readonly electronDouble: (text: string) => void;
    electronDoubleReceive: (text: string) => void;
    electronDoublePaths: Readonly<Record<string, string>>;
  };
  if (world.window !== world.top) return;
  const exposed: Callable[] = [];
  const asked = new Map<number, { resolve: Callable; reject: Callable }>();
  const listeners = new Map<string, Callable[]>();
  const tell = (name: string, detail: unknown): boolean =>
    document.dispatchEvent(new CustomEvent(`${secret}${name}`, { detail }));
  let count = 0;

  function pack(value: unknown): unknown {
    if (typeof value === 'function') return { bridgeFunction: exposed.push(value as Callable) - 1 };
    if (Array.isArray(value)) return value.map((item) => pack(item));
    if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]));
  }
  function unpack(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => unpack(item));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    if ('bridgeCallback' in value)
      return (...args: unknown[]) => void tell('callback', { id: value.bridgeCallback, args });
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
  }
  const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  function settle(work: Promise<unknown>): Crossing {
    count += 1;
    const promise = count;
    const end = (crossing: Crossing): void => void tell('settle', { promise, crossing });
    void work.then(
      (value) => end({ kind: 'value', value: pack(value) }),
      (error: unknown) => end({ kind: 'thrown', message: textOf(error) }),
    );
    return { kind: 'promise', promise };
  }
  document.addEventListener(`${secret}call`, (event) => {
    const { id, args } = (event as CustomEvent<{ id: number; args: unknown[] }>).detail;
    try {
      const value = exposed[id]?.(...args.map((item) => unpack(item)));
      tell('answer', value instanceof Promise ? settle(value) : { kind: 'value', value: pack(value) });
    } catch (error) {
      tell('answer', { kind: 'thrown', message: textOf(error) });
    }
  });

  function post(
    kind: 'invoke' | 'send' | 'context menu',
    id: number,
    channel: string,
    args: readonly unknown[],
  ): void {
    world.electronDouble(JSON.stringify({ kind, id, channel, args: codec.encode(args) }));
  }
  world.electronDoubleReceive = (text) => {
    const message = codec.decode(JSON.parse(text)) as
      | { kind: 'reply'; id: number; ok: boolean; value: unknown }
      | { kind: 'message'; channel: string; args: unknown[] };
    if (message.kind === 'message')
      return listeners
        .get(message.channel)
        ?.forEach((listener) => void listener(only('event', {}), ...message.args));
    const waiting = asked.get(message.id);
    asked.delete(message.id);
    if (message.ok) waiting?.resolve(message.value);
    else waiting?.reject(new Error(String(message.value)));
  };
  // Runs after the page's own listeners: one that prevents the menu also keeps Electron from seeing the click
  window.addEventListener('contextmenu', (event) => {
    if (!event.defaultPrevented) post('context menu', 0, '', [clickedText(event)]);
  });
  /** Using a member that a sandboxed preload has but the double does not is a mistake that must not go unnoticed. */
  function only(name: string, members: object): object {
    return new Proxy(members, {
      get(target, key) {
        if (Object.hasOwn(target, key)) return Reflect.get(target, key);
        // Bundlers check whether a module was an ES module.
        if (typeof key === 'symbol' || key === '__esModule') return undefined;
        throw new Error(`electron-double has no ${name}.${key} in a preload.`);
      },
    });
  }
  const off = (channel: string, listener: Callable): void =>
    void listeners.set(
      channel,
      (listeners.get(channel) ?? []).filter((known) => known !== listener),
    );
  const electron = only('electron', {
    contextBridge: only('contextBridge', {
      exposeInMainWorld: (key: string, api: unknown) => void tell('expose', { key, api: pack(api) }),
    }),
    ipcRenderer: only('ipcRenderer', {
      invoke: (channel: string, ...args: unknown[]) =>
        new Promise((resolve, reject) => {
          count += 1;
          asked.set(count, { resolve, reject });
          post('invoke', count, channel, args);
        }),
      send: (channel: string, ...args: unknown[]) => post('send', 0, channel, args),
      on: (channel: string, listener: Callable) =>
        void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
      off,
      removeListener: off,
    }),
    webUtils: only('webUtils', {
      // Chromium gives pages no paths: the double sets beforehand which path belongs to which dropped name.
      getPathForFile: (file: { readonly name: string }) => world.electronDoublePaths?.[file.name] ?? '',
    }),
  });
  preload((name) => {
    if (['electron', 'electron/renderer', 'electron/common'].includes(name)) return electron;
    throw new Error(`module not found: ${name}`);
  });
}

/** Details of the click, as Electron reports them to the window. Runs in the page. */
function clickedText(event: PageEvent): ClickedText {
  const place = event.composedPath()[0] as TextPlace;
  const { selectionStart, selectionEnd } = place;
  const hasText = typeof selectionStart === 'number' && typeof selectionEnd === 'number';
  const selectionText = hasText
    ? String(place.value).slice(selectionStart, selectionEnd)
    : String(getSelection());
  const isEditable = place.isContentEditable === true || (hasText && place.readOnly !== true);
  const canCopy = selectionText !== '';
  const editFlags = { canCut: isEditable && canCopy, canCopy, canPaste: isEditable, canSelectAll: true };
  return { isEditable, selectionText, editFlags };
}

/** The text of a preload bundle (CommonJS) with everything that it needs, ready for a world of its own. */
export function preloadScript(secret: string, source: string): string {
  const run = `(load) => { const module = { exports: {} }; (function (require, module, exports) {\n${source}\n})(load, module, module.exports); }`;
  return `{ ${encode.toString()} ${decode.toString()} ${clickedText.toString()} (${runInPreloadWorld.toString()})(${JSON.stringify(secret)}, { encode, decode }, ${run}); }`;
}

export function mainWorldScript(secret: string): string {
  return `(${runInMainWorld.toString()})(${JSON.stringify(secret)});`;
}

/** Where a setting comes from, in order of precedence; the default comes last. */
export const origins = ['managed', 'commandLine', 'user', 'recommended'] as const;
/** One of `origins`. */
export type Origin = (typeof origins)[number];

/** Settings by name, as written: already checked, defaults not filled in. */
export type SettingsGroup = Readonly<Record<string, unknown>>;

/** The settings of each origin; a missing origin sets nothing. */
export type SettingsLayers = Readonly<Partial<Record<Origin, SettingsGroup>>>;

/** One setting and its path: `['upload', 'concurrentFiles']`. */
export interface SettingsLeaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The merged layers, with the origin of each setting by its path: `upload.concurrentFiles`. */
export interface LayeredSettings {
  readonly values: SettingsGroup;
  readonly origins: ReadonlyMap<string, Origin>;
}

/** Groups that are replaced as a whole: the name of one scheme with the prefix of another would be neither. */
const WHOLES: ReadonlySet<string> = new Set(['auth']);

/** Merges the layers setting by setting; a list is one setting and is replaced as a whole. */
export function layerSettings(layers: SettingsLayers): LayeredSettings {
  let values: SettingsGroup = {};
  const found = new Map<string, Origin>();
  for (const origin of origins) {
    for (const { path, value } of leavesOf(layers[origin] ?? {})) {
      const name = path.join('.');
      if (found.has(name)) continue;
      found.set(name, origin);
      values = withValue(values, path, value);
    }
  }
  return { values, origins: found };
}

/** Every setting with a value, with groups flattened. An empty group sets nothing. */
export function leavesOf(group: SettingsGroup): readonly SettingsLeaf[] {
  return Object.entries(group).flatMap(([name, value]): readonly SettingsLeaf[] =>
    isGroup(value) && !WHOLES.has(name)
      ? leavesOf(value).map((leaf) => ({ path: [name, ...leaf.path], value: leaf.value }))
      : [{ path: [name], value }],
  );
}

/** The value at `path`; undefined if there is none. */
export function valueAt(group: SettingsGroup, path: readonly string[]): unknown {
  const [name = '', ...rest] = path;
  const value = Object.hasOwn(group, name) ? group[name] : undefined;
  if (rest.length === 0) return value;
  return isGroup(value) ? valueAt(value, rest) : undefined;
}

/** A copy with another value at `path`; undefined removes it. */
export function withValue(group: SettingsGroup, path: readonly string[], value: unknown): SettingsGroup {
  const [name = '', ...rest] = path;
  const inner = group[name];
  const next = rest.length === 0 ? value : withValue(isGroup(inner) ? inner : {}, rest, value);
  const others = Object.entries(group).filter(([other]) => other !== name || next !== undefined);
  return Object.fromEntries(
    next === undefined ? others.filter(([other]) => other !== name) : [...others, [name, next]],
  );
}

function isGroup(value: unknown): value is SettingsGroup {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a setting stands, in one spelling: `change.watch.0.path` of a call is `watch[0].path` of the file. */
export function settingPath(name: string): string {
  return name.replace(/^change\./, '').replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}

/** Whether a setting is among those that are fixed from outside, by itself or with the group it stands in. */
export function isManaged(managed: readonly string[], path: string): boolean {
  return managed.some((each) => {
    const fixed = settingPath(each);
    return path === fixed || path.startsWith(`${fixed}.`) || path.startsWith(`${fixed}[`);
  });
}

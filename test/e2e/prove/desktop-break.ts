/** A deliberate mistake in a copy of the product, and the specs of the desktop app that must notice it. */
export interface DesktopBreak {
  readonly file: string;
  /** Must occur in the file exactly once: if the product has changed, this fails loudly. */
  readonly find: string;
  readonly replace: string;
  /** File in test/e2e/desktop, or the path of a test without a browser. */
  readonly spec: string;
  /** Parts of titles in it; each must match a title, and every test that matches must fail. */
  readonly titles: readonly string[];
}

/** Several mistakes that the specs of one file must notice, one at a time. */
export function breaksSeenBy(
  spec: string,
  mistakes: readonly (readonly [file: string, find: string, replace: string, ...titles: string[]])[],
): readonly DesktopBreak[] {
  return mistakes.map(([file, find, replace, ...titles]) => ({ file, find, replace, spec, titles }));
}

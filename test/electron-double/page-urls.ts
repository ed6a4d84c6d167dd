/**
 * Chromium without Electron has no custom schemes, so a page of `app://desk` is at `https://desk.app.invalid` here: a
 * secure origin of its own with a name that never resolves, and 'self' in the content policy means this origin. One
 * difference from Electron: the page itself sees the https form; the app sees its own address everywhere.
 */
export interface PageUrls {
  /** Adds a scheme that the app registered. */
  addScheme(scheme: string): void;
  toPage(url: string): string;
  toApp(url: string): string;
  /** Converts texts that contain several addresses, such as a content policy. */
  textToPage(text: string): string;
}

export function createPageUrls(): PageUrls {
  const schemes = new Set<string>();
  const spelled = (): string => [...schemes].join('|');
  const toPage = (text: string): string =>
    schemes.size === 0
      ? text
      : text.replaceAll(new RegExp(`\\b(${spelled()})://([a-z0-9-]+)`, 'gi'), 'https://$2.$1.invalid');
  return {
    addScheme: (scheme) => void schemes.add(scheme),
    toPage,
    textToPage: toPage,
    toApp(url) {
      if (schemes.size === 0) return url;
      return url.replace(
        new RegExp(`^(blob:)?https://([a-z0-9-]+)\\.(${spelled()})\\.invalid(?=[/?#]|$)`),
        '$1$3://$2',
      );
    },
  };
}

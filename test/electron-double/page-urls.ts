/**
 * Chromium without Electron cannot be taught a scheme, so a page of `app://desk` lives at `https://desk.app.invalid`
 * here: a secure origin of its own with a name that never resolves, and 'self' of the content policy is this origin.
 * What differs from Electron: the page itself sees the https spelling; the app sees its own everywhere.
 */
export interface PageUrls {
  /** Schemes that the app registered. */
  addScheme(scheme: string): void;
  toPage(url: string): string;
  toApp(url: string): string;
  /** Texts with several addresses in them, such as a content policy. */
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

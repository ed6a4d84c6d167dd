/** The part of the browser's Trusted Types that is used here; the types of the language do not know it yet. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML(html: string): string }): unknown;
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes;
  }
}

/** Libraries empty an element by `innerHTML = ''`; any other HTML is refused as the policy of the page says. */
export function allowEmptyHtml(): void {
  window.trustedTypes?.createPolicy('default', {
    createHTML(html) {
      if (html === '') return html;
      throw new TypeError('This page writes no HTML');
    },
  });
}

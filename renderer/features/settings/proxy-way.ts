/** Where the proxy comes from, as a person chooses it. */
export const proxyWays = ['environment', 'address', 'none'] as const;
/** One of `proxyWays`. */
export type ProxyWay = (typeof proxyWays)[number];

/** The choice that an address of the settings stands for; one that is being typed is an address already. */
export function proxyWay(url: string | undefined): ProxyWay {
  if (url === undefined) return 'environment';
  return url.toLowerCase() === 'none' ? 'none' : 'address';
}

/** What the settings say for a choice, before an address is typed. */
export function proxyUrlOf(way: ProxyWay): string | undefined {
  switch (way) {
    case 'environment':
      return undefined;
    case 'address':
      return 'http://';
    case 'none':
      return 'none';
  }
}

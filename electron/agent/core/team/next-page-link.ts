/** Parameters of an address, in their order. */
export type LinkQuery = readonly (readonly [name: string, value: string])[];

/** What a `Link` header says of the next page. `elsewhere`: at another place than the call, where nothing is asked. */
export type NextPage =
  | { readonly kind: 'none' }
  | { readonly kind: 'query'; readonly query: LinkQuery }
  | { readonly kind: 'elsewhere' };

const ENTRY = /<([^<>]*)>([^<]*)/g;
const RELATION = /;\s{0,8}rel\s{0,8}=\s{0,8}(?:"([^"]*)"|([^\s;,"]+))/i;

/**
 * The next page by `Link: <...>; rel="next"` (service.md gap 17). Only the parameters of the address are taken, and
 * only when its host and path are those of the call itself: the key never goes where an answer points.
 */
export function nextPageLink(header: string | undefined, calledUrl: string): NextPage {
  for (const [, target = '', attributes = ''] of (header ?? '').matchAll(ENTRY)) {
    const [, quoted, plain] = RELATION.exec(attributes) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return fitting(target.trim(), new URL(calledUrl));
  }
  return { kind: 'none' };
}

function fitting(target: string, called: URL): NextPage {
  if (!URL.canParse(target, called.href)) return { kind: 'elsewhere' };
  const next = new URL(target, called.href);
  if (next.host !== called.host || next.pathname !== called.pathname) return { kind: 'elsewhere' };
  return { kind: 'query', query: [...next.searchParams] };
}

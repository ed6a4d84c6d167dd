/** The scheme of links into the app, without the colon. */
export const LINK_SCHEME = 'vms-export-agent';
/** Longer than any link that the app hands out, characters. */
const LONGEST_LINK = 200;
/** An incident's id is a UUID; nothing else can be named. */
const LINK =
  /^vms-export-agent:\/\/incident\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?$/;

/**
 * The incident that a link names; undefined for anything else. A link can only show, never change or send: whoever can
 * make a person click may be anyone.
 */
export function parseDeepLink(text: string): { readonly incidentId: string } | undefined {
  if (text.length > LONGEST_LINK) return undefined;
  const incidentId = LINK.exec(text)?.[1];
  return incidentId === undefined ? undefined : { incidentId };
}

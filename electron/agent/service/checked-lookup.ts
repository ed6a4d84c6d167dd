import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isNamedBy, type SignedUrlRules } from '../core/parts/check-signed-url.ts';

/**
 * Prefixes that carry an IPv4 address in their last 32 bits: NAT64's well-known one, the translated form, and the
 * compatible one. Tunnels (6to4, Teredo, NAT64 for local use) are closed as a whole: storage has other addresses.
 */
const CARRIES_IPV4 = ['64:ff9b::/96', '::ffff:0:0:0/96', '::/96'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** Error code for a name that resolves only to closed addresses. */
export const CLOSED_ADDRESS = 'EADDRCLOSED';

/** A resolver with the shape of `dns.lookup` for all addresses. */
export type LookupAll = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Whether the address is not on the public internet, or carries one that is not. */
export function isClosedAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true;
  // Extracts the IPv4 address from a mapped one
  const plain = ipaddr.process(address);
  const isCarrier = plain instanceof ipaddr.IPv6 && CARRIES_IPV4.some((range) => plain.match(range));
  const judged = isCarrier ? new ipaddr.IPv4(plain.toByteArray().slice(-4)) : plain;
  return judged.range() !== 'unicast';
}

/**
 * A `lookup` for the signed PUT's sockets: a host that `upload.hosts` does not name must not resolve to a closed
 * address. The sockets connect to exactly the addresses that were checked, so a second DNS answer changes nothing.
 */
export function createCheckedLookup(
  rules: Pick<SignedUrlRules, 'allowLoopback' | 'hosts'>,
  resolve: LookupAll = systemLookup,
): LookupFunction {
  const isListed = (hostname: string): boolean =>
    rules.hosts.some((entry) => isNamedBy({ hostname, port: '' }, entry.replace(/:\d+$/, '')));
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return void callback(error, '');
      const isOpen = isListed(hostname) || (rules.allowLoopback && hostname === 'localhost');
      const open = isOpen ? addresses : addresses.filter(({ address }) => !isClosedAddress(address));
      const [first] = open;
      if (first === undefined) return void callback(closedError(hostname), '');
      if (options.all === true) return void callback(null, open);
      callback(null, first.address, first.family);
    });
  };
}

function closedError(hostname: string): NodeJS.ErrnoException {
  const message = `${hostname} resolves to a private or reserved address and is not in upload.hosts`;
  return Object.assign(new Error(message), { code: CLOSED_ADDRESS });
}

import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { isNamedBy, type SignedUrlRules } from '../core/parts/check-signed-url.ts';

/** Ranges that no public storage lives in: loopback, link-local, private, shared, multicast and reserved ones. */
const CLOSED_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
const CLOSED_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];
const CLOSED = closedList();
/** Prefixes that carry an IPv4 address in their last 32 bits: mapped, and the well-known one of NAT64. */
const CARRIES_IPV4 = /^(::ffff:|64:ff9b::)/;

/** A resolver with the shape of `dns.lookup` for all addresses. */
export type LookupAll = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The address is not one of the public internet. */
export function isClosedAddress(address: string): boolean {
  if (!isIPv6(address)) return CLOSED.check(address, 'ipv4');
  const carried = carriedIpv4(address);
  return CLOSED.check(address, 'ipv6') || (carried !== undefined && CLOSED.check(carried, 'ipv4'));
}

function closedList(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of CLOSED_IPV4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of CLOSED_IPV6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}

function carriedIpv4(address: string): string | undefined {
  // The URL parser writes every spelling of an address in one way, with the last 32 bits as two groups
  const plain = address.split('%')[0] ?? address;
  const normal = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
  if (!CARRIES_IPV4.test(normal)) return undefined;
  const [high = '0', low = '0'] = normal.split(':').slice(-2);
  const bits = (Number.parseInt(high || '0', 16) << 16) | Number.parseInt(low || '0', 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/**
 * A `lookup` for the signed PUT's sockets: a host that `upload.hosts` does not name may not resolve to a closed
 * address. The sockets connect to the very addresses that were checked, so a second answer of the DNS changes nothing.
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
  const message = `${hostname} resolves to an address of a local network, and upload.hosts does not name it`;
  return Object.assign(new Error(message), { code: 'EADDRCLOSED' });
}

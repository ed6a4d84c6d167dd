import { BlockList, isIP, isIPv6 } from 'node:net';

/** The other end of a connection. */
export interface Target {
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** Whether the target is this machine: no proxy is ever asked for it. */
export function isOwnMachine({ hostname }: Pick<Target, 'hostname'>): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost');
  return LOOPBACK.check(name, familyOf(name));
}

/**
 * Whether one of the entries names the target. `example.com`, `.example.com` and `*.example.com` are that host and all
 * below it, as in curl; an address or a range (10.0.0.0/8) names addresses, `*` everything. An entry with a port is for
 * that port only. What cannot be understood names nothing.
 */
export function isBypassed(target: Target, entries: readonly string[]): boolean {
  return entries.some((entry) => matches(target, entry.trim().toLowerCase()));
}

function matches({ hostname, port }: Target, entry: string): boolean {
  if (entry === '*') return true;
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const { name, onlyPort } = splitPort(entry);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(host) !== 0) return matchesAddress(host, name);
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

function splitPort(entry: string): { readonly name: string; readonly onlyPort: number | undefined } {
  if (isIPv6(entry)) return { name: entry, onlyPort: undefined };
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? entry, onlyPort: port === undefined ? undefined : Number(port) };
}

function matchesAddress(host: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  if (isIP(network) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  const most = isIPv6(network) ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (prefix > most) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, familyOf(network));
  return list.check(host, familyOf(host));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

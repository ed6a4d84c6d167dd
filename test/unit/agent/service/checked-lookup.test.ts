import { describe, expect, it } from 'vitest';
import {
  createCheckedLookup,
  isClosedAddress,
  type LookupAll,
} from '../../../../electron/agent/service/checked-lookup.ts';

describe('checklist 28: isClosedAddress', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['0.0.0.0', true],
    ['10.0.0.5', true],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.1', false],
    ['192.168.1.1', true],
    ['169.254.169.254', true],
    ['100.64.0.1', true],
    ['100.128.0.1', false],
    ['198.18.0.1', true],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['93.184.216.34', false],
    ['::1', true],
    ['::', true],
    ['fe80::1', true],
    ['fe80::1%eth0', true],
    ['fd00::1', true],
    ['ff02::1', true],
    ['::ffff:127.0.0.1', true],
    ['::ffff:10.0.0.1', true],
    ['::ffff:93.184.216.34', false],
    ['64:ff9b::7f00:1', true],
    ['64:ff9b::192.168.0.1', true],
    ['64:ff9b::93.184.216.34', false],
    ['2606:2800:220:1::1', false],
    ['192.0.0.8', true],
    ['240.0.0.1', true],
    ['fec0::1', true],
    ['::ffff:0:127.0.0.1', true],
    ['::ffff:0:93.184.216.34', false],
    ['fe80::1%3', true],
    // Missing from our earlier table: documentation, and prefixes that tunnel or belong to a single network
    ['192.0.2.1', true],
    ['203.0.113.7', true],
    ['2001:db8::1', true],
    ['2002:7f00:1::1', true],
    ['2001:0:53aa:64c::1', true],
    ['64:ff9b:1::a00:1', true],
    ['100::1', true],
    // An IPv4 address in all notations that lead to it
    ['::127.0.0.1', true],
    ['::a00:1', true],
    ['::93.184.216.34', false],
    ['::ffff:7f00:1', true],
    ['2002:a00:1::', true],
    ['2001:0:4136:e378:8000:63bf:f5ff:fffe', true],
    ['64:ff9b:1:7f00:1::', true],
    ['no address', true],
  ])('%s is closed: %s', (address, expected) => {
    expect(isClosedAddress(address)).toBe(expected);
  });
});

/** A resolver that answers with these addresses, one list per call. */
function resolver(...answers: readonly (readonly string[])[]): LookupAll {
  let call = 0;
  return (_hostname, _options, callback) => {
    const addresses = answers[Math.min(call++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

function ask(
  lookup: ReturnType<typeof createCheckedLookup>,
  hostname: string,
  all = false,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all }, (error, address) => (error ? reject(error) : resolve(address)));
  });
}

describe('createCheckedLookup', () => {
  const rules = { allowLoopback: false, hosts: [] };

  it('gives the address of a public host', async () => {
    const lookup = createCheckedLookup(rules, resolver(['93.184.216.34']));
    expect(await ask(lookup, 'h.example')).toBe('93.184.216.34');
  });

  it('input E13: refuses a host that resolves to a private address', async () => {
    const lookup = createCheckedLookup(rules, resolver(['10.0.0.5']));
    await expect(ask(lookup, 'h.example')).rejects.toMatchObject({ code: 'EADDRCLOSED' });
    await expect(ask(lookup, 'h.example', true)).rejects.toThrow(
      'h.example resolves to a private or reserved address',
    );
  });

  it('leaves out private addresses among public ones', async () => {
    const lookup = createCheckedLookup(rules, resolver(['10.0.0.5', '93.184.216.34']));
    expect(await ask(lookup, 'h.example', true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('checks each answer of a host that changes its address', async () => {
    const lookup = createCheckedLookup(rules, resolver(['93.184.216.34'], ['127.0.0.1']));
    expect(await ask(lookup, 'h.example')).toBe('93.184.216.34');
    await expect(ask(lookup, 'h.example')).rejects.toMatchObject({ code: 'EADDRCLOSED' });
  });

  it('accepts private addresses of hosts that are listed', async () => {
    const hosts = ['store.example:9000', '*.corp.example'];
    const lookup = createCheckedLookup({ allowLoopback: false, hosts }, resolver(['10.0.0.5']));
    expect(await ask(lookup, 'store.example')).toBe('10.0.0.5');
    expect(await ask(lookup, 'a.corp.example')).toBe('10.0.0.5');
    await expect(ask(lookup, 'other.example')).rejects.toMatchObject({ code: 'EADDRCLOSED' });
  });

  it('accepts localhost only where loopback is allowed', async () => {
    const loopback = resolver(['127.0.0.1']);
    expect(await ask(createCheckedLookup({ allowLoopback: true, hosts: [] }, loopback), 'localhost')).toBe(
      '127.0.0.1',
    );
    await expect(ask(createCheckedLookup(rules, loopback), 'localhost')).rejects.toThrow();
    const elsewhere = createCheckedLookup({ allowLoopback: true, hosts: [] }, loopback);
    await expect(ask(elsewhere, 'h.example')).rejects.toThrow();
  });

  it('hands on what the resolver had to say', async () => {
    const failing: LookupAll = (_hostname, _options, callback) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
    await expect(ask(createCheckedLookup(rules, failing), 'h.example')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { isBypassed, isOwnMachine } from '../../../../electron/agent/service/bypass-proxy.ts';

describe('isBypassed', () => {
  it.each([
    ['api.example.com', 443, 'api.example.com', true],
    ['api.example.com', 443, 'example.com', true],
    ['api.example.com', 443, '.example.com', true],
    ['api.example.com', 443, '*.example.com', true],
    ['example.com', 443, '.example.com', true],
    ['API.Example.com.', 443, 'example.COM', true],
    ['badexample.com', 443, 'example.com', false],
    ['example.com.evil', 443, 'example.com', false],
    ['api.example.com', 443, '*', true],
    ['api.example.com', 8443, 'api.example.com:8443', true],
    ['api.example.com', 443, 'api.example.com:8443', false],
    ['api.example.com', 443, '10.0.0.0/8', false],
    ['10.1.2.3', 443, '10.0.0.0/8', true],
    ['11.1.2.3', 443, '10.0.0.0/8', false],
    ['10.1.2.3', 443, '10.1.2.3', true],
    ['10.1.2.3', 443, '10.1.2.3:443', true],
    ['10.1.2.3', 443, '.3', false],
    ['10.1.2.3', 443, '10.0.0.0/40', false],
    ['fd00::1', 443, 'fd00::/8', true],
    ['fd00::1', 443, '[fd00:0::1]:443', true],
    ['fd00::1', 443, 'fd00::1', true],
    ['fe00::1', 443, 'fd00::/8', false],
    ['api.example.com', 443, '', false],
    ['api.example.com', 443, '.', false],
    ['api.example.com', 443, 'http://api.example.com', false],
  ] as const)('%s:%i by "%s" is %s', (hostname, port, entry, expected) => {
    expect(isBypassed({ hostname, port }, ['other.example', entry])).toBe(expected);
  });
});

describe('isOwnMachine', () => {
  it.each([
    ['localhost', true],
    ['LOCALHOST.', true],
    ['desk.localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['localhost.example.com', false],
    ['127.0.0.1.example.com', false],
    ['10.0.0.1', false],
  ])('%s is %s', (hostname, expected) => {
    expect(isOwnMachine({ hostname })).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import {
  checkProxyUrl,
  chooseProxy,
  proxySecrets,
  proxyVariables,
} from '../../../../../electron/agent/core/settings/choose-proxy.ts';
import { settingsSchema } from '../../../../../shared/domain/settings.ts';

const settings = (proxy: unknown = {}) => settingsSchema.parse({ proxy }).proxy;
const from = (environment: Record<string, string>) => chooseProxy(settings(), proxyVariables(environment));

describe('checklist 35: the proxy of the environment', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['HTTPS_PROXY', { HTTPS_PROXY: 'http://a.example:1' }, 'a.example:1'],
    [
      'the lower case before the upper',
      { HTTPS_PROXY: 'http://a.example:1', https_proxy: 'http://b.example:2' },
      'b.example:2',
    ],
    [
      'HTTPS_PROXY before http_proxy',
      { HTTPS_PROXY: 'http://a.example:1', http_proxy: 'http://b.example:2' },
      'a.example:1',
    ],
    ['HTTP_PROXY where nothing else is said', { HTTP_PROXY: 'http://a.example:1' }, 'a.example:1'],
    ['an address without its scheme', { HTTPS_PROXY: 'a.example:8080' }, 'a.example:8080'],
    ['the port of the scheme', { HTTPS_PROXY: 'https://a.example' }, 'a.example:443'],
    ['an IPv6 address', { HTTPS_PROXY: 'http://[fd00::1]:3128' }, '[fd00::1]:3128'],
    ['nothing where the variable is empty', { HTTPS_PROXY: ' ' }, undefined],
    [
      'nothing where only others are set',
      { ALL_PROXY: 'http://a.example:1', FTP_PROXY: 'http://a.example:1' },
      undefined,
    ],
  ])('is %s', (_, environment, host) => {
    const choice = from(environment);
    expect(choice.kind === 'proxy' ? choice.address.host : undefined).toBe(host);
  });

  it('has its exceptions in NO_PROXY, beside those of the settings', () => {
    const variables = proxyVariables({
      HTTPS_PROXY: 'http://a:1',
      NO_PROXY: 'x.example, y.example 10.0.0.0/8,',
    });
    expect(chooseProxy(settings({ bypass: ['z.example'] }), variables)).toMatchObject({
      bypass: ['z.example', 'x.example', 'y.example', '10.0.0.0/8'],
    });
  });

  it('has name and password in its address, decoded', () => {
    const environment = { HTTPS_PROXY: 'http://desk%40hq:p%3A%25%2F@a.example:1' };
    expect(from(environment)).toMatchObject({
      address: { host: 'a.example:1', credentials: 'desk@hq:p:%/' },
    });
    expect(proxySecrets(proxyVariables(environment))).toEqual(['desk@hq:p:%/', 'p:%/']);
  });

  it.each([
    ['socks5://a.example:1080', 'names a SOCKS proxy'],
    ['ftp://a.example', 'does not begin with http:// or https://'],
    ['http://desk:secret%zz@a.example', 'percent-encode special characters'],
    ['http://a.example:1/path', 'contains more than a scheme, host and port'],
    ['http://a b.example', 'contains a space'],
    ['http://', 'is missing the host name'],
  ])('that is %s is an error, and nothing is sent around it', (url, says) => {
    const choice = from({ HTTPS_PROXY: url });
    expect(choice).toMatchObject({ kind: 'unusable', failure: { code: 'CONFIG_PROXY' } });
    const message = choice.kind === 'unusable' ? choice.failure.message : '';
    expect(message).toContain(says);
    expect(message).toContain('HTTPS_PROXY');
    expect(message).not.toContain('secret');
  });
});

describe('the proxy of the settings', () => {
  const variables = proxyVariables({ HTTPS_PROXY: 'http://env.example:1', NO_PROXY: '*' });

  it('wins over the environment with all that stands there', () => {
    const choice = chooseProxy(
      settings({ url: 'http://set.example:3128', bypass: ['x.example'] }),
      variables,
    );
    expect(choice).toMatchObject({
      kind: 'proxy',
      address: { host: 'set.example:3128' },
      bypass: ['x.example'],
    });
  });

  it.each(['none', 'NONE'])('is none when it is called %s', (url) => {
    expect(chooseProxy(settings({ url }), variables)).toEqual({ kind: 'direct' });
  });

  it.each([
    ['http://desk:secret@a.example:1', 'contains a user name or password', 'proxyCredentialsFile'],
    ['http://desk@a.example:1', 'contains a user name or password', 'proxyCredentialsFile'],
    ['http://desk:secret%zz@a.example', 'contains a user name or password', 'proxyCredentialsFile'],
    ['a.example:3128', 'does not begin with http:// or https://', '"none"'],
    ['socks5://a.example', 'names a SOCKS proxy', 'http://'],
  ])('is refused as %s, without repeating it', (url, says, advises) => {
    const failure = checkProxyUrl(url);
    expect(failure).toMatchObject({ code: 'CONFIG_PROXY' });
    expect(failure?.message).toContain(says);
    expect(failure?.advice).toContain(advises);
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it.each([
    '*',
    'a.example',
    '.a.example',
    '*.a.example:8443',
    '10.1.2.3',
    '10.0.0.0/8',
    'fd00::/8',
    '[fd00::1]:443',
  ])('may leave out %s', (entry) => expect(settings({ bypass: [entry] }).bypass).toEqual([entry]));

  it.each(['http://a.example', 'a b', '', 'a.example/path', '<local>', 'a.*.example'])(
    'may not leave out "%s"',
    (entry) => expect(settingsSchema.safeParse({ proxy: { bypass: [entry] } }).success).toBe(false),
  );
});

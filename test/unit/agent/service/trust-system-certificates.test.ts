import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const pathOf = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const authority = pathOf('test/fixtures/tls/ca.crt');

/** Whether the authority is trusted, in a process of its own: trust applies to the whole process. */
async function trustsAuthority(systemStore: string): Promise<unknown> {
  const script = `
    const { readFileSync } = await import('node:fs');
    const { getCACertificates } = await import('node:tls');
    const { trustSystemCertificates } = await import(${JSON.stringify(pathOf('electron/agent/index.ts'))});
    // Node wraps the lines of a certificate in two ways
    const trusted = () => getCACertificates('default').map((text) => text.replaceAll(/\\s/g, ''));
    const warnings = [];
    const log = { debug() {}, info() {}, error() {}, warn: (text) => warnings.push(text) };
    const ours = trusted();
    await trustSystemCertificates(log);
    const all = trusted();
    const isIn = all.includes(readFileSync(${JSON.stringify(authority)}, 'utf8').replaceAll(/\\s/g, ''));
    console.log(JSON.stringify({ isIn, keepsOwn: ours.length > 0 && ours.every((text) => all.includes(text)), warnings }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, SSL_CERT_FILE: systemStore, SSL_CERT_DIR: pathOf('test/fixtures/none') },
  });
  return JSON.parse(stdout);
}

// Only on Linux can a variable set where OpenSSL looks for the system's store
describe.skipIf(process.platform !== 'linux')('trusting the certificates of the system', () => {
  it('adds an authority of the system store to those of Node', async () => {
    expect(await trustsAuthority(authority)).toEqual({ isIn: true, keepsOwn: true, warnings: [] });
  });

  it('leaves those of Node when the store holds nothing', async () => {
    expect(await trustsAuthority('/dev/null')).toEqual({ isIn: false, keepsOwn: true, warnings: [] });
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How the service answers: correctly, or in one of the ways that must not be accepted as a time-stamp. */
export type Manner =
  | 'well'
  | 'silent'
  | 'error'
  | 'refused'
  | 'garbage'
  | 'flood'
  | 'other bytes'
  | 'other nonce'
  | 'broken signature'
  | 'other certificate';

const CONFIG = `
[tsa]
serial = ./serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
other_policies = 1.2.3.4.5.6
digests = sha256, sha512
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[tsa2]
serial = ./serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha512
`;

/** A time-stamp service of openssl on this machine; the test sets its manner. */
export async function startTimeStampService() {
  const folder = await mkdtemp(join(tmpdir(), 'tsa-'));
  const openssl = (...args: readonly string[]) => run('openssl', [...args], { cwd: folder });
  const at = (name: string): string => join(folder, name);
  await writeFile(at('tsa.cnf'), CONFIG);
  await writeFile(at('serial'), '01\n');
  const usage = (purpose: string): string => `extendedKeyUsage=critical,${purpose}`;
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '7300',
  ];
  const made = (name: string, purpose: string) =>
    openssl(
      ...request,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-subj',
      '/CN=Test Time',
      '-addext',
      usage(purpose),
    );
  await made('tsa', 'timeStamping');
  await made('other', 'codeSigning');
  let manner: Manner = 'well';
  const asked: Buffer[] = [];

  async function reply(query: Buffer): Promise<Buffer> {
    await writeFile(at('query'), query);
    if (manner === 'other bytes' || manner === 'other nonce') {
      const digest =
        manner === 'other nonce'
          ? query.subarray(query.indexOf(Buffer.from([4, 32])) + 2).subarray(0, 32)
          : undefined;
      const of = digest === undefined ? ['-data', 'tsa.cnf'] : ['-digest', digest.toString('hex')];
      await openssl('ts', '-query', ...of, '-sha256', '-cert', '-out', 'query');
    }
    const section = manner === 'refused' ? 'tsa2' : 'tsa';
    const signer = ['-signer', 'tsa.pem', '-inkey', 'tsa.key'];
    await openssl(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-section',
      section,
      '-queryfile',
      'query',
      ...signer,
      '-out',
      'reply',
    );
    if (manner === 'other certificate') return signedForCode();
    const bytes = await readFile(at('reply'));
    if (manner === 'broken signature') bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    return bytes;
  }

  /** openssl does not make such a time-stamp: its content is signed like any other and put into an answer. */
  async function signedForCode(): Promise<Buffer> {
    await openssl('ts', '-reply', '-in', 'reply', '-token_out', '-out', 'token');
    await openssl('cms', '-verify', '-noverify', '-in', 'token', '-inform', 'DER', '-out', 'info');
    const signer = ['-signer', 'other.pem', '-inkey', 'other.key', '-md', 'sha256'];
    const type = ['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-nodetach', '-binary'];
    await openssl('cms', '-sign', '-in', 'info', ...type, ...signer, '-outform', 'DER', '-out', 'token');
    const token = Buffer.concat([Buffer.from([0x30, 3, 2, 1, 0]), await readFile(at('token'))]);
    const head = Buffer.from([0x30, 0x82, 0, 0]);
    head.writeUInt16BE(token.length, 2);
    return Buffer.concat([head, token]);
  }

  async function answer(query: Buffer, response: ServerResponse): Promise<void> {
    if (manner === 'silent') return;
    if (manner === 'error') return void response.writeHead(503).end('down');
    if (manner === 'garbage') return void response.end('<html>Welcome</html>');
    if (manner === 'flood') return void response.end(Buffer.alloc(200_000));
    response.end(await reply(query));
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const query = Buffer.concat(chunks);
      asked.push(query);
      answer(query, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service does not listen');
  return {
    url: `http://127.0.0.1:${address.port}/tsa`,
    asked,
    /** For `openssl ts -verify`. */
    certificate: at('tsa.pem'),
    answerWith(next: Manner): void {
      manner = next;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

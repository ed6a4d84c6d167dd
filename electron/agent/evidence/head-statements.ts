import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ONLY, replaceFile } from '../settings/guarded-path.ts';
import { isSignedBy, type DeskKey } from './desk-keys.ts';

/** The head of a chain as it is stated outside of its database. */
export interface HeadStatement {
  readonly deskId: string;
  /** Id of the queue database: each has a chain of its own. */
  readonly chainId: string;
  /** Number of the newest row, and its hash. */
  readonly sequence: number;
  readonly hash: string;
  /** Fingerprint of the key that signed it. */
  readonly key: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** A statement as it was read, with its signature, base64. */
export interface SignedStatement extends HeadStatement {
  readonly signature: string;
}

/** One line that anybody can search the system's log for. */
export function statementLine(head: HeadStatement, key: Pick<DeskKey, 'sign'>): string {
  const said = saidBy(head);
  return `${said} sig=${key.sign(Buffer.from(said)).toString('base64')}`;
}

const saidBy = ({ deskId, chainId, sequence, hash, key, at }: HeadStatement): string =>
  `vms-export-agent chain desk=${deskId} chain=${chainId} rows=${sequence} head=${hash} key=${key} at=${at}`;

const STATEMENT =
  /vms-export-agent chain desk=([0-9a-f-]{36}) chain=([0-9a-f-]{36}) rows=(\d{1,15}) head=([0-9a-f]{64}) key=([0-9a-f]{64}) at=([0-9TZ:.-]{20,24}) sig=([A-Za-z0-9+/=]{80,120})/g;

/** The statements in a text, whatever stands around them. */
export function readStatements(text: string): readonly SignedStatement[] {
  return [...text.matchAll(STATEMENT)].map(
    ([, deskId = '', chainId = '', rows = '', hash = '', key = '', at = '', signature = '']) => ({
      deskId,
      chainId,
      sequence: Number(rows),
      hash,
      key,
      at,
      signature,
    }),
  );
}

/** Whether the key (PEM) signed the statement. */
export const isGenuine = (statement: SignedStatement, publicKey: string): boolean =>
  isSignedBy(publicKey, Buffer.from(saidBy(statement)), Buffer.from(statement.signature, 'base64'));

/** Name of the file in the data directory that holds what was stated. */
const STATEMENTS_FILE = 'chain-heads.txt';
/** From this size on the older half goes, characters: a year of hours is three million. */
const LARGEST_FILE = 8_000_000;

/** What was stated, beside the database: a second place where the system's log cannot be read. */
export function createStatementFile(dataDir: string) {
  const file = join(dataDir, STATEMENTS_FILE);
  const read = (): Promise<string> =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
  return {
    read,
    async add(line: string): Promise<void> {
      await appendFile(file, `${line}\n`, { mode: OWNER_ONLY, flush: true });
      const text = await read();
      if (text.length <= LARGEST_FILE) return;
      const half = text.indexOf('\n', LARGEST_FILE / 2) + 1;
      await replaceFile(file, text.slice(half), { rights: OWNER_ONLY });
    },
  };
}

import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, type Json } from '../../../shared/lib/json-text.ts';

/** Where a change is planted: a copy of the pack, copies of its clips, and another pack of the same desk. */
export interface Planted {
  readonly pack: string;
  readonly copies: string;
  readonly other: string;
}

/** `names`: the least that each checker must report about it. */
export type Plant = readonly [what: string, plant: (places: Planted) => Promise<unknown>, names: RegExp];

const signature = /signature|signed/i;
/** A report must name the changed file; for the signed manifest and its parts it must name the signature. */
const named = (name: string): RegExp =>
  name.startsWith('manifest.') || name === 'key.pem'
    ? /signature|signed|manifest|key/i
    : new RegExp(name.replaceAll(/[.$*`]/g, '\\$&'));

const files = [
  'manifest.json',
  'manifest.sig',
  'key.pem',
  'SHA256SUMS',
  'clips.txt',
  'chain.txt',
  'report.html',
  'report.pdf',
  'verify.ps1',
  'pictures/00001.jpg',
];

async function flip(file: string, at: (size: number) => number): Promise<void> {
  const bytes = await readFile(file);
  const place = at(bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

async function writeAt(file: string, place: number, letter: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.slice(0, place) + letter + text.slice(place + 1));
}

const damages: readonly (readonly [string, (file: string) => Promise<unknown>])[] = [
  ['is missing', (file) => rm(file)],
  ['was cut', async (file) => truncate(file, (await readFile(file)).length - 1)],
  ['has another bit near its end', (file) => flip(file, (size) => size - 30)],
  ['is empty', (file) => writeFile(file, '')],
];

async function swap(folder: string, one: string, other: string): Promise<void> {
  await rename(join(folder, one), join(folder, 'aside'));
  await rename(join(folder, other), join(folder, one));
  await rename(join(folder, 'aside'), join(folder, other));
}

type Fields = { [name: string]: Json | undefined };
type Edit = readonly [what: string, edit: (manifest: Fields, clips: Fields[], incident: Fields) => void];

const edits: readonly Edit[] = [
  [
    'the time of a clip',
    (_m, [clip]) => Object.assign(clip ?? {}, { startedAt: '2026-05-01T18:00:00.000Z' }),
  ],
  ['the end of a clip', (_m, [clip]) => Object.assign(clip ?? {}, { endedAt: null })],
  [
    'a camera',
    (_m, [clip]) => Object.assign(clip ?? {}, { camera: { id: null, name: 'Gate 9', description: null } }),
  ],
  [
    'a hash',
    (_m, [clip]) =>
      Object.assign(clip ?? {}, { sha256: { found: null, sent: 'a'.repeat(64), stated: null } }),
  ],
  ['a size', (_m, [clip]) => Object.assign(clip ?? {}, { sizeBytes: 1 })],
  ['a name', (_m, [clip]) => Object.assign(clip ?? {}, { path: 'other.mp4' })],
  [
    'the order of clips',
    (manifest) => Object.assign(manifest, { clips: (manifest['clips'] as Json[]).toReversed() }),
  ],
  ['a clip less', (manifest) => Object.assign(manifest, { clips: (manifest['clips'] as Json[]).slice(1) })],
  ['a clip twice', (_m, clips) => clips.push({ ...clips[0] })],
  ['a receipt', (_m, [clip]) => Object.assign(clip?.['sent'] ?? {}, { storageKey: 'elsewhere' })],
  [
    'when a clip was sent',
    (_m, [clip]) => Object.assign(clip?.['sent'] ?? {}, { at: '2026-05-02T00:00:00.000Z' }),
  ],
  ['where a time came from', (_m, [clip]) => Object.assign(clip ?? {}, { origins: {} })],
  ['the title', (_m, _c, incident) => Object.assign(incident, { title: 'Gate 5' })],
  ['when it happened', (_m, _c, incident) => Object.assign(incident, { happenedAt: null })],
  ['what is missing', (manifest) => Object.assign(manifest, { missing: ['Everything.'] })],
  ['when it was packed', (manifest) => Object.assign(manifest, { packedAt: '2020-01-01T00:00:00.000Z' })],
  ['the desk', (manifest) => Object.assign(manifest['desk'] ?? {}, { id: 'another' })],
  [
    'the pack before',
    (manifest) => Object.assign(manifest, { previousPack: { manifestSha256: '', packedAt: '' } }),
  ],
];

async function edit(pack: string, [, change]: Edit): Promise<string> {
  const manifest = JSON.parse(await readFile(join(pack, 'manifest.json'), 'utf8')) as Fields;
  change(manifest, manifest['clips'] as Fields[], manifest['incident'] as Fields);
  const text = canonicalJson(manifest);
  await writeFile(join(pack, 'manifest.json'), text);
  return text;
}

/** A forged key.pem; both keys are given as PEM. */
type KeyFile = (forger: string, desk: string) => string;
const forgerAlone: KeyFile = (forger) => forger;

/** Files with two keys: a program might use one for the signature and the other for the fingerprint. */
const keyFiles: readonly (readonly [what: string, file: KeyFile])[] = [
  ["the desk's key before it", (forger, desk) => `${desk.replaceAll(/^-.*\n/gm, '')}${forger}`],
  ["the desk's key as a note before it", (forger, desk) => `${desk.replaceAll('PUBLIC', 'SOME')}${forger}`],
  ["the desk's key as a second one", (forger, desk) => `${forger}${desk}`],
  ["the desk's key as the first one", (forger, desk) => `${desk}${forger}`],
];

/** Signs the pack's present content with another key, as if it were its own. */
async function signAgain(pack: string, keyFile?: KeyFile): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = createPublicKey(privateKey);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const sumOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const manifest = JSON.parse(await readFile(join(pack, 'manifest.json'), 'utf8')) as Fields;
  if (keyFile !== undefined) {
    await writeFile(join(pack, 'key.pem'), keyFile(pem, await readFile(join(pack, 'key.pem'), 'utf8')));
    if (keyFile === forgerAlone) Object.assign(manifest['desk'] ?? {}, { key: sumOf(der) });
    const listed = manifest['files'] as Record<string, { sha256: string; sizeBytes: number }>;
    for (const name of Object.keys(listed).filter((each) => each !== 'SHA256SUMS')) {
      const bytes = await readFile(join(pack, name));
      listed[name] = { sha256: sumOf(bytes), sizeBytes: bytes.length };
    }
    const sums = Object.entries(listed)
      .filter(([name]) => name !== 'SHA256SUMS')
      .map(([name, { sha256 }]) => `${sha256}  ${name}\n`)
      .join('');
    listed['SHA256SUMS'] = { sha256: sumOf(sums), sizeBytes: sums.length };
    await writeFile(join(pack, 'SHA256SUMS'), sums);
  }
  const text = canonicalJson(manifest);
  await writeFile(join(pack, 'manifest.json'), text);
  await writeFile(join(pack, 'manifest.sig'), sign('sha256', Buffer.from(text), privateKey));
}

async function changeChain(pack: string, change: (lines: string[]) => string[]): Promise<void> {
  const file = join(pack, 'chain.txt');
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  await writeFile(
    file,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

const mixed = ['manifest.json', 'manifest.sig', 'chain.txt', 'clips.txt', 'report.html', 'SHA256SUMS'];
const firstCopy = 'stored-1-11111111.mp4';
const secondCopy = 'stored-2-11111111.mp4';

/** All planted changes; each checker must find each of them. */
export const planted: readonly Plant[] = [
  ...files.flatMap((name) =>
    damages.map(([what, damage]): Plant => [
      `${name} ${what}`,
      ({ pack }) => damage(join(pack, name)),
      named(name),
    ]),
  ),
  [
    'key.pem has a letter that is none of base64',
    ({ pack }) => writeAt(join(pack, 'key.pem'), -30, '#'),
    named('key.pem'),
  ],
  ...files.map((name): Plant => [
    `${name} was renamed`,
    ({ pack }) => rename(join(pack, name), join(pack, 'renamed')),
    named(name),
  ]),
  ...(
    [
      ['chain.txt', 'clips.txt'],
      ['report.html', 'chain.txt'],
      ['manifest.json', 'manifest.sig'],
      ['pictures/00001.jpg', 'report.html'],
    ] as const
  ).map(([one, other]): Plant => [
    `${one} and ${other} were swapped`,
    ({ pack }) => swap(pack, one, other),
    named(one),
  ]),
  ...[
    'note.txt',
    '.hidden',
    'pictures/00003.jpg',
    'more/clip.mp4',
    'manifest.json.bak',
    "it's $HOME `x` ; *.txt",
  ].map((name): Plant => [
    `${name} was added`,
    async ({ pack }) => {
      await mkdir(join(pack, 'more'), { recursive: true });
      await writeFile(join(pack, name), 'x');
    },
    named(name === 'manifest.json.bak' ? 'json.bak' : name),
  ]),
  [
    'a file is a link to an equal one elsewhere',
    async ({ pack, copies }) => {
      await copyFile(join(pack, 'report.html'), join(copies, '..', 'report.html'));
      await rm(join(pack, 'report.html'));
      await symlink(join(copies, '..', 'report.html'), join(pack, 'report.html'));
    },
    /report\.html/,
  ],
  ...edits.map((each): Plant => [`${each[0]} was edited`, ({ pack }) => edit(pack, each), signature]),
  ...edits.slice(0, 12).map((each): Plant => [
    `${each[0]} was edited, and all signed again with another key`,
    async ({ pack }) => {
      await edit(pack, each);
      await signAgain(pack, forgerAlone);
    },
    /key/i,
  ]),
  ...edits.slice(12, 15).map((each): Plant => [
    `${each[0]} was edited and signed again, beside the old key`,
    async ({ pack }) => {
      await edit(pack, each);
      await signAgain(pack);
    },
    signature,
  ]),
  ['nothing was edited, and all signed with another key', ({ pack }) => signAgain(pack, forgerAlone), /key/i],
  ...keyFiles.map(([what, file]): Plant => [
    `all was signed with another key, which has ${what}`,
    ({ pack }) => signAgain(pack, file),
    /key|signature/i,
  ]),
  ...mixed.map((name): Plant => [
    `${name} is that of another pack`,
    ({ pack, other }) => copyFile(join(other, name), join(pack, name)),
    named(name),
  ]),
  [
    'manifest and signature are those of another pack',
    async ({ pack, other }) => {
      for (const name of ['manifest.json', 'manifest.sig'])
        await copyFile(join(other, name), join(pack, name));
    },
    /report\.html|SHA256SUMS/,
  ],
  [
    'a row of the chain was taken out',
    ({ pack }) => changeChain(pack, (lines) => lines.toSpliced(1, 1)),
    /chain/,
  ],
  [
    'the first row of the chain was taken out',
    ({ pack }) => changeChain(pack, (lines) => lines.slice(1)),
    /chain/,
  ],
  [
    'the last row of the chain was taken out',
    ({ pack }) => changeChain(pack, (lines) => lines.slice(0, -1)),
    /chain/,
  ],
  [
    'two rows of the chain were swapped',
    ({ pack }) => changeChain(pack, ([a = '', b = '', ...rest]) => [b, a, ...rest]),
    /chain/,
  ],
  [
    'a row of the chain was edited',
    ({ pack }) => changeChain(pack, (lines) => lines.map((line) => line.replace('clip.sent', 'clip.lost'))),
    /chain/,
  ],
  ['a copy of a clip was cut', async ({ copies }) => truncate(join(copies, firstCopy), 3), named(firstCopy)],
  [
    'a copy of a clip has another bit',
    ({ copies }) => flip(join(copies, firstCopy), () => 0),
    named(firstCopy),
  ],
  ['a copy of a clip is missing', ({ copies }) => rm(join(copies, secondCopy)), named(secondCopy)],
  [
    'a copy of a clip was renamed',
    ({ copies }) => rename(join(copies, firstCopy), join(copies, 'gate.mp4')),
    /gate\.mp4/,
  ],
  ['two copies of clips were swapped', ({ copies }) => swap(copies, firstCopy, secondCopy), named(firstCopy)],
  ['a copy more is there', ({ copies }) => writeFile(join(copies, 'more.mp4'), 'other'), /more\.mp4/],
];

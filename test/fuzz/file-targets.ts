import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { checkComplete } from '../../electron/agent/files/containers/check-clip.ts';
import type { MediaReader } from '../../electron/agent/files/containers/media-reader.ts';
import { fileKindOf } from '../../electron/agent/core/naming/file-kinds.ts';
import { readClipName } from '../../electron/agent/core/naming/read-clip-name.ts';
import { recognisers } from '../../electron/agent/core/naming/recognisers.ts';
import { readFolderName } from '../../electron/agent/core/naming/read-folder-name.ts';
import { readClipSidecar, readSidecar } from '../../electron/agent/core/naming/read-sidecar.ts';
import { recogniseExport } from '../../electron/agent/core/naming/recognise-export.ts';
import { serviceFileName } from '../../electron/agent/core/records/derived-ids.ts';
import { csvText } from '../../shared/lib/csv-text.ts';
import { hasHiddenCharacters, visibleName } from '../../shared/lib/visible-name.ts';
import { hostileText, mutatedBytes, mutatedText } from './mutations.ts';
import { fuzzTarget, must, type FuzzTarget } from './target.ts';

const clips = ['car-park.mp4', 'corridor-fragmented.mp4', 'turnstile-7.mp4', 'concourse.mkv'].map((name) =>
  readFileSync(new URL(`../fixtures/clips/${name}`, import.meta.url)),
);
/** Most reads for walking a file: each takes milliseconds on a share. */
const MOST_READS = 50_000;

/** The bytes, repeated up to a size that fits in no memory. */
function countingReader(bytes: Buffer, times: number): MediaReader & { readonly reads: () => number } {
  let reads = 0;
  const sizeBytes = bytes.length * times;
  return {
    sizeBytes,
    reads: () => reads,
    async read(offset, length) {
      reads += 1;
      const wanted = Math.max(0, Math.min(length, sizeBytes - offset));
      const piece = Buffer.alloc(wanted);
      for (let done = 0; done < wanted;) {
        const from = (offset + done) % bytes.length;
        done += bytes.copy(piece, done, from, Math.min(bytes.length, from + wanted - done));
      }
      return piece;
    },
  };
}

const containers = fuzzTarget(
  'containers',
  'readers of MP4 and Matroska',
  fc.tuple(mutatedBytes(clips), fc.constantFrom('mp4', 'mkv'), fc.constantFrom(1, 1, 1, 1_000)),
  async ([bytes, container, times]) => {
    const reader = countingReader(bytes, bytes.length === 0 ? 1 : times);
    const answer = await checkComplete(reader, container);
    must(['complete', 'incomplete', 'unknown-format'].includes(answer.kind), `It answered ${answer.kind}`);
    must(reader.reads() <= MOST_READS, `It read ${reader.reads()} times`);
    if (answer.kind === 'complete' && answer.durationMs !== undefined)
      must(Number.isFinite(answer.durationMs) && answer.durationMs >= 0, `It lasts ${answer.durationMs} ms`);
    if (answer.kind === 'complete' && answer.createdAtMs !== undefined)
      must(Number.isFinite(new Date(answer.createdAtMs).getTime()), `It was made at ${answer.createdAtMs}`);
  },
);

const sidecarSamples = [
  JSON.stringify({
    schema_version: 1,
    id: 'CASE-42',
    title: 'Pitch invasion',
    description: 'Two persons',
    incident_at: '2026-05-01T19:30:05+01:00',
    timezone: 'Europe/London',
    longitude: -0.2795,
    latitude: 51.556,
    tags: ['a', 'b'],
    videos: [
      { file: 'a/b.mp4', camera_id: 'G4', started_at: '2026-05-01 19:30:05', sha256: 'ab'.repeat(32) },
    ],
  }),
  JSON.stringify({ camera_name: 'Gate 4', started_at: '2026-01-01T00:00:00Z', thumbnail: 'b.jpg' }),
];

const sidecars = fuzzTarget(
  'sidecars',
  'readers of incident.json and its like',
  mutatedText(sidecarSamples),
  (bytes) => {
    const rules = { name: 'incident.json', timeZone: 'Europe/London' };
    for (const answer of [readSidecar(bytes, rules), readClipSidecar(bytes, rules)]) {
      if (answer.ok) continue;
      must(answer.error.code.startsWith('SIDECAR_'), `It answered ${answer.error.code}`);
      must(!hasHiddenCharacters(answer.error.message), 'Its message has hidden characters');
      must(answer.error.message.length < 2_000, `Its message has ${answer.error.message.length} characters`);
    }
  },
);

const nameSamples = [
  ...recognisers.flatMap(({ samples }) => samples.map(({ path }) => path)),
  '2026-05-01 19-30 Gate 4',
];

const names = fuzzTarget(
  'names',
  'names of files and folders',
  fc.oneof(
    hostileText,
    mutatedText(nameSamples).map((bytes) => bytes.toString()),
  ),
  (name) => {
    const rules = { profile: 'auto', timeZone: 'Europe/London', clockOffsetSeconds: 0 };
    const reading = readClipName(name, rules);
    for (const time of [reading?.startedAt, reading?.endedAt])
      if (time !== undefined)
        must(Number.isFinite(new Date(time.value).getTime()), `The time is ${time.value}`);
    readFolderName(name);
    fileKindOf(name);
    recogniseExport([
      { path: name, kind: 'file', sizeBytes: 1, mtimeNs: '1', inode: '1', device: '1', links: 1 },
    ]);
    must(!hasHiddenCharacters(visibleName(name)), 'What is shown has hidden characters');
    const told = serviceFileName(name, '0b7e3f5a-0000-5000-8000-000000000000');
    must(/^[A-Za-z0-9_-]{1,64}-0b7e3f5a\.[a-z0-9]+$/.test(told), `The service is told ${told}`);
    must(
      !/(?:^\ufeff|[;\t\r\n])"*[=+\-@]/.test(csvText([[name]])),
      'A spreadsheet would take it for a formula',
    );
  },
);

/** Targets for files in the folders. */
export const fileTargets: readonly FuzzTarget[] = [containers, sidecars, names];

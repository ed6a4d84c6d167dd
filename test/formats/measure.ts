import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { described, seen } from '../helpers/export-evidence.ts';
import { processorMs } from '../helpers/processor-ms.ts';
import {
  fitsOf,
  readClipName,
  type ClipNameReading,
  type NameTime,
} from '../../electron/agent/core/naming/read-clip-name.ts';
import type { Recogniser } from '../../electron/agent/core/naming/recogniser.ts';
import { systems } from '../../electron/agent/core/naming/recognisers.ts';
import { printers } from './printers.ts';
import type { Printed, Recording } from './printing.ts';

/** Zones of all kinds: half hours, quarter hours, half-hour summer time, a day that was skipped. */
export const zones = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Apia',
] as const;

const cameras = [
  'Gate 4',
  'Tor Süd – Kasse 2',
  'north-stand',
  'Stand_B',
  'Parkplatz (Ost)',
  'Вход 3',
  '入口カメラ',
  'O’Brien Gate',
  'Café & Bar',
  '2nd floor',
  'البوابة',
];

/** Both days on which Europe's clocks change, a midnight, and any other moment since 2010. */
const moment = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 2, 28, 22) / 1000, max: Date.UTC(2026, 2, 29, 6) / 1000 }),
  fc.integer({ min: Date.UTC(2026, 9, 24, 22) / 1000, max: Date.UTC(2026, 9, 25, 6) / 1000 }),
  fc.constant(Date.UTC(2025, 11, 31, 23, 59, 58) / 1000),
  fc.integer({ min: Date.UTC(2010, 0, 1) / 1000, max: Date.UTC(2026, 11, 31) / 1000 }),
);

/** Recordings that are in no sample. */
export const anyRecording: fc.Arbitrary<Recording> = fc
  .record({
    camera: fc.constantFrom(...cameras),
    channel: fc.integer({ min: 1, max: 9 }),
    deviceNumber: fc.integer({ min: 0, max: 0xff_ffff }),
    startS: moment,
    lengthS: fc.integer({ min: 1, max: 6 * 3600 }),
    zone: fc.constantFrom(...zones),
    number: fc.integer({ min: 1, max: 60_000 }),
  })
  .map(({ startS, lengthS, deviceNumber, ...rest }) => ({
    ...rest,
    device: `0a1b2c${deviceNumber.toString(16).padStart(6, '0')}`,
    startMs: startS * 1000,
    endMs: (startS + lengthS) * 1000,
  }));

const rules = (zone: string) => ({ profile: 'auto', timeZone: zone, clockOffsetSeconds: 0 });

/** The incident's folder that paths are in. */
const INCIDENT = 'Incident 12';

/** How a path is read inside an incident's folder. */
export const readPath = (path: string, zone = 'UTC'): ClipNameReading | undefined =>
  readClipName(path, rules(zone), INCIDENT);

/** Names of the systems that read a path. */
export const readersOf = (path: string): readonly string[] => {
  const parts = [INCIDENT, ...path.split('/')];
  return fitsOf(systems, parts, parts.length - 1).map(({ recogniser }) => recogniser.name);
};

/** The error in reading a printed recording; undefined when there is none. */
export function faultOf(
  system: string,
  printed: Printed,
  { zone }: Recording,
): { readonly text: string; readonly isConfident: boolean } | undefined {
  const reading = readPath(printed.path, zone);
  if (reading?.profile !== system) {
    const winner = reading?.tied?.map(({ name }) => name).join(' = ') ?? reading?.profile ?? 'nobody';
    return { text: `${printed.path} is read by ${winner}`, isConfident: reading?.trust === 'vendor' };
  }
  const wrong = [
    ...(['camera', 'channel', 'device'] as const).filter((field) => {
      const read = field === 'camera' ? reading.cameraName : reading[field];
      return read !== printed[field];
    }),
    ...(isTime(reading.startedAt, printed.startMs) ? [] : ['start']),
    ...(isTime(reading.endedAt, printed.endMs) ? [] : ['end']),
  ];
  if (wrong.length === 0) return undefined;
  const isConfident =
    (wrong.includes('start') && reading.startedAt?.confidence !== 'low') ||
    (wrong.includes('end') && reading.endedAt?.confidence !== 'low');
  return { text: `${printed.path} in ${zone}: ${wrong.join(', ')} wrong`, isConfident };
}

/** In a doubled hour two instants are right. */
function isTime(time: NameTime | undefined, expectedMs: number | undefined): boolean {
  if (expectedMs === undefined) return time === undefined;
  const wanted = Math.floor(expectedMs / 1000);
  return [time?.value, time?.laterMs, doubled(time)].some(
    (ms) => ms !== undefined && Math.floor(ms / 1000) === wanted,
  );
}

/** An end that was moved to the second of its two instants. */
const doubled = (time: NameTime | undefined): number | undefined =>
  time?.note?.includes('twice') === true ? time.value - 3_600_000 : undefined;

/** Prints recordings as a system would and reads them back. */
export function readUnseen(
  recogniser: Recogniser,
  count: number,
  seed: number,
): { readonly names: number; readonly faults: readonly string[]; readonly confident: number } {
  const faults: string[] = [];
  let names = 0;
  let confident = 0;
  for (const recording of fc.sample(anyRecording, { numRuns: count, seed })) {
    for (const printer of printers[recogniser.name] ?? []) {
      names += 1;
      const fault = faultOf(recogniser.name, printer(recording), recording);
      if (fault === undefined) continue;
      faults.push(fault.text);
      if (fault.isConfident) confident += 1;
    }
  }
  return { names, faults, confident };
}

const extension = fc.constantFrom('mp4', 'mkv', 'avi', 'mov', 'pdf', 'jpg', 'docx', 'txt', 'ts');

/** Names without meaning. */
const randomName = fc
  .tuple(
    fc.string({
      unit: fc.constantFrom(...'abcXYZ0123456789 _-.()äж#@'.split('')),
      minLength: 1,
      maxLength: 40,
    }),
    extension,
  )
  .map(([stem, end]) => `${stem}.${end}`);

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: length, maxLength: length });
const words = fc.constantFrom(
  'Rechnung',
  'invoice',
  'IMG',
  'DSC',
  'scan',
  'Bericht',
  'report',
  'Case',
  'DOC',
  'photo',
);

/** Names of everyday life: documents, photos, case numbers, serial numbers, telephone numbers, resolutions. */
const everydayName = fc
  .oneof(
    fc.tuple(words, digits(4)).map(([word, number]) => `${word}_${number}`),
    fc.tuple(words, digits(8)).map(([word, number]) => `${word} ${number}`),
    digits(11).map((number) => `+${number}`),
    fc.tuple(digits(6), words).map(([number, word]) => `${number}-${word}`),
    fc.constantFrom('clip 1920x1080', 'video-3840x2160', 'Gate 1280_720', 'final cut v2', 'Copy of clip (3)'),
    fc.tuple(digits(3), digits(7)).map(([area, number]) => `0${area} ${number}`),
    fc.tuple(digits(4), digits(2), digits(6)).map(([year, kind, number]) => `${year}-${kind}-${number}`),
    fc.tuple(words, digits(12)).map(([word, number]) => `${word}-${number}`),
    digits(16),
    fc.tuple(digits(2), digits(2), digits(4)).map(([day, month, year]) => `Notes ${day}.${month}.${year}`),
  )
  .chain((stem) => extension.map((end) => `${stem}.${end}`));

/** Names that no system wrote but that are read all the same. */
export function falseRecognitions(seed: number): {
  readonly names: number;
  readonly found: readonly string[];
  /** Those whose time is not marked as doubtful. */
  readonly confident: readonly string[];
} {
  const names = [
    ...fc.sample(randomName, { numRuns: 10_000, seed }),
    ...fc.sample(everydayName, { numRuns: 2_000, seed }),
  ];
  const read = names.flatMap((name) => {
    const reading = readPath(name);
    const says = reading?.startedAt ?? reading?.endedAt ?? reading?.cameraName ?? reading?.channel;
    return says === undefined ? [] : [{ name, reading }];
  });
  return {
    names: names.length,
    found: read.map(({ name, reading }) => `${name} (${reading?.profile})`),
    confident: read
      .filter(({ reading }) => reading?.startedAt !== undefined && reading.startedAt.confidence !== 'low')
      .map(({ name }) => name),
  };
}

/** Average time to read one path, milliseconds. */
export function timeToRead(seed: number): number {
  const paths = fc
    .sample(anyRecording, { numRuns: 400, seed })
    .flatMap((recording) =>
      Object.values(printers).flatMap((each) => each.map((printer) => printer(recording).path)),
    )
    .concat(fc.sample(randomName, { numRuns: 5_000, seed }));
  for (const path of paths.slice(0, 2_000)) readPath(path);
  const begin = performance.now();
  for (const path of paths) readPath(path);
  return (performance.now() - begin) / paths.length;
}

/** Nested folders of an export; the last one is numbered. */
const levels = 'Site/Building 2/Level 3/Zone 4/2026/05/01/19/Recorder 9/Alarm/Part 11/Cam';

/**
 * Describes an export of 100,000 clips twelve folders deep, again and again. Returns CPU seconds per 10,000 clips, and
 * the megabytes that the rounds after the first one left behind.
 */
export function describeDeepExport(): { readonly seconds: number; readonly leftMb: number } {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const name = (index: number): string =>
    index % 2 === 0 ? `clip ${index}.avi` : `NVR_ch${index}_main_20260501193005_20260501193205.dav`;
  const rounds = [1, 2, 3].map((round) => {
    const files = Array.from({ length: 100_000 }, (_, index) =>
      seen(`${levels} ${round * 50 + (index % 50)}/${name(index)}`),
    );
    const ms = processorMs(() => void described('Incident 12', files));
    collect();
    return { ms, heapMb: process.memoryUsage().heapUsed / 1e6 };
  });
  const [first, last] = [rounds[0], rounds.at(-1)];
  return {
    seconds: Math.max(...rounds.map(({ ms }) => ms)) / 10_000,
    leftMb: (last?.heapMb ?? 0) - (first?.heapMb ?? 0),
  };
}

import { RE2JS } from 're2js';
import type { CameraSettings } from '../../../../shared/domain/naming-settings.ts';
import type { MediaFacts } from './file-content.ts';
import { baseName, folderOf } from './file-kinds.ts';
import type { NameFields } from './recogniser.ts';
import { isDateName } from './read-folder-name.ts';

/** A camera known to the desk: each field is from the first matching entry that has it. */
export type KnownCamera = Pick<
  CameraSettings,
  'cameraId' | 'cameraName' | 'description' | 'latitude' | 'longitude' | 'clockOffsetSeconds' | 'measuredBy'
>;

/** What is known of a clip that may identify its camera. */
export interface CameraTraces {
  readonly path: string;
  /** What was read from its name. */
  readonly name?: Pick<NameFields, 'cameraName' | 'channel' | 'recorder' | 'device'> & {
    readonly isNoCamera?: true;
    /** Milliseconds since 1970 UTC, by the clock of the recorder. */
    readonly startedAt?: { readonly recordedMs: number };
  };
  readonly media?: MediaFacts;
}

/** Beginning of the note on a time that was corrected by the clock of its camera. */
export const CLOCK_NOTE = "the camera's clock showed";

/** Finds the camera of a clip among those known to the desk. */
export type FindCamera = (traces: CameraTraces) => KnownCamera | undefined;

interface Entry {
  readonly settings: CameraSettings;
  readonly order: number;
  readonly glob?: RE2JS;
}

/** Creates the search among the cameras of a watched folder. Exact texts are looked up, patterns are tried in order. */
export function createFindCamera(cameras: readonly CameraSettings[]): FindCamera | undefined {
  if (cameras.length === 0) return undefined;
  const entries = cameras.map((settings, order): Entry => {
    const isGlob = /[*?]/.test(settings.match);
    return { settings, order, ...(isGlob && { glob: globOf(settings.match) }) };
  });
  const exact = Map.groupBy(
    entries.filter(({ glob }) => glob === undefined),
    ({ settings }) => plain(settings.match),
  );
  const globs = entries.filter(({ glob }) => glob !== undefined);
  return (traces) => {
    const keys = keysOf(traces);
    const found = keys.flatMap(([by, text]) => [
      ...(exact.get(plain(text)) ?? []).filter(({ settings }) => isBy(settings, by)),
      ...globs.filter(({ settings, glob }) => isBy(settings, by) && glob?.matches(text) === true),
    ]);
    const valid = [...new Set(found)]
      .filter(({ settings }) => isValid(settings, traces.name?.startedAt?.recordedMs))
      .toSorted((left, right) => left.order - right.order);
    return valid.length === 0 ? undefined : merged(valid.map(({ settings }) => settings));
  };
}

const isBy = ({ by }: CameraSettings, key: CameraSettings['by']): boolean => by === 'any' || by === key;

/** A text in a form for comparison: without case and, for a MAC address, without separators. */
const plain = (text: string): string =>
  /^[0-9a-f]{2}(?:[:-]?[0-9a-f]{2}){5}$/i.test(text.trim())
    ? text.replaceAll(/[^0-9a-f]/gi, '').toLowerCase()
    : text.normalize('NFC').trim().toLowerCase();

function globOf(match: string): RE2JS {
  const source = [...match.normalize('NFC')]
    .map((character) => (character === '*' ? '.*' : character === '?' ? '.' : RE2JS.quote(character)))
    .join('');
  return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
}

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$|^[0-9a-f]*:[0-9a-f:]+$/i;
const MAC = /^[0-9a-f]{2}(?:[:-]?[0-9a-f]{2}){5}$/i;

/** What identifies the clip's camera, by kind. */
function keysOf({ path, name, media }: CameraTraces): readonly (readonly [CameraSettings['by'], string])[] {
  const { cameraName, channel, recorder, device } = name ?? {};
  const { sourceName, sourceMac, sourceUrl } = media ?? {};
  const host = sourceUrl === undefined ? undefined : URL.parse(sourceUrl)?.hostname;
  const kind = device === undefined || MAC.test(device) ? 'mac' : ADDRESS.test(device) ? 'ip' : 'serial';
  const ofRecorder = recorder === undefined || channel === undefined ? undefined : `${recorder}/${channel}`;
  const folder = name?.isNoCamera === true ? '' : baseName(folderOf(path).slice(0, -1));
  const all: readonly (readonly [CameraSettings['by'], string | undefined])[] = [
    ['mac', sourceMac],
    ['url', sourceUrl],
    ['ip', host],
    [kind, device],
    ['channel', ofRecorder],
    ['channel', channel],
    ['name', sourceName],
    ['name', cameraName],
    ['name', folder],
  ];
  return all.flatMap(([by, text]) => (text === undefined || text === '' ? [] : [[by, text] as const]));
}

/** Whether an entry is valid at the start of a clip. One with a validity period counts only if that start is known. */
function isValid({ validFrom, validTo }: CameraSettings, startMs: number | undefined): boolean {
  if (validFrom === undefined && validTo === undefined) return true;
  if (startMs === undefined) return false;
  const [from, to] = [validFrom, validTo].map((time) => (time === undefined ? undefined : Date.parse(time)));
  return startMs >= (from ?? -Infinity) && startMs < (to ?? Infinity);
}

/** Merges entries. A position is taken whole from one entry, and so are a clock and who measured it. */
function merged(found: readonly CameraSettings[]): KnownCamera {
  const place = found.find(({ latitude, longitude }) => latitude !== undefined && longitude !== undefined);
  const clock = found.find(({ clockOffsetSeconds }) => clockOffsetSeconds !== undefined);
  const [cameraId] = found.flatMap((each) => each.cameraId ?? []);
  const [cameraName] = found.flatMap((each) => each.cameraName ?? []);
  const [description] = found.flatMap((each) => each.description ?? []);
  return {
    ...(cameraId !== undefined && { cameraId }),
    ...(cameraName !== undefined && { cameraName }),
    ...(description !== undefined && { description }),
    ...(place && { latitude: place.latitude, longitude: place.longitude }),
    ...(clock && { clockOffsetSeconds: clock.clockOffsetSeconds }),
    ...(clock?.measuredBy !== undefined && { measuredBy: clock.measuredBy }),
  };
}

/** Words that sort files, say why something was recorded, or name a stream; without spaces and separators. */
const words = new Set(
  'alarm alert animal audio block cam camera car ch channel clip clips continuous copy dav dcim doorbell dvr event export exported exports face files hdalarm hourly idle image images img linecrossing main manual mdalarm media motion motiondetection mov movie mp4record night notification nvr object original package person pet phone rec record recorded recording recordings recentclips ring savedclips schedule sentryclips smartdetect smartdetectzone snapshot snapshots sound still stream sub surveillance tamper test thumb thumbs timelapse timer trigger vehicle vid video videos videoloss whatsapp whatsappvideo xvr zone'.split(
    ' ',
  ),
);
/** `20240106AM`, and the name of a month with or without numbers. */
const halfDay = /^\d{8}[AP]M$/i;
const month =
  /^(?:\d{1,4}[ ._-]*)?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?:[ ._-]*\d{1,4}){0,2}$/i;

/** Whether a text found in place of a camera's name can be one. */
export function isCameraName(text: string | undefined): text is string {
  const name = text?.trim() ?? '';
  return name !== '' && !words.has(name.toLowerCase().replace(/[\s_-]+/g, ''));
}

/**
 * The same for a folder, and for the rest of a name that no system wrote: dates, counters and the like do not count.
 */
export function isFreeCameraName(text: string | undefined): text is string {
  const name = text?.trim() ?? '';
  if (!isCameraName(name) || halfDay.test(name) || month.test(name) || isDateName(name)) return false;
  return (
    /\p{L}/u.test(name) && !/^(?:no|nr|id|event|incident|case|clip|file|part|seq)[ ._#-]*\d+$/i.test(name)
  );
}

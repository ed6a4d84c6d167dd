import { basename } from 'node:path/posix';
import { formatBytes } from '../../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { wordsOfSource } from '../../core/naming/explain-export.ts';
import type { Manifest, ManifestClip, NotedChange } from './manifest.ts';
import { packFiles } from './manifest.ts';

/** A pack's report for a reader without technical knowledge: one page for the incident, half a page per clip. */
export function reportPage(manifest: Omit<Manifest, 'files'>): string {
  const { incident, clips } = manifest;
  const title = shown(incident.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>Custody report: ${title}</title>
<style>${STYLE}</style>
</head>
<body>
${incidentPage(manifest)}
${clips.map((clip) => clipPart(clip)).join('\n')}
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the page: nothing in it is markup, and hidden characters are made visible. */
const shown = (text: string): string =>
  visibleName(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A time for readers, in UTC: "1 May 2026, 19:30:05 UTC". */
function time(iso: string | null): string {
  if (iso === null) return 'not known';
  const [date = '', clock = ''] = iso.split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}, ${clock.slice(0, 8)} UTC`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

type Line = readonly [name: string, value: string | undefined];

/** Values are already markup. */
const facts = (lines: readonly Line[]): string =>
  `<dl>${lines
    .flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [`<dt>${name}</dt><dd>${value}</dd>`],
    )
    .join('')}</dl>`;

const code = (text: string): string => `<code>${shown(text)}</code>`;

function incidentPage({
  incident,
  clips,
  desk,
  chain,
  packedAt,
  missing,
  previousPack,
}: Omit<Manifest, 'files'>): string {
  const sent = clips.filter(({ state }) => state === 'uploaded').length;
  const { latitude, longitude } = incident;
  return `<section class="incident">
<p class="kind">Custody report</p>
<h1>${shown(incident.title)}</h1>
<p class="lead">${leadText(clips.length, sent, missing.length)}</p>
${facts([
  ['Incident time', timeWithSource(incident.happenedAt, incident.origins['incidentAt'])],
  ['Description', incident.description === null ? undefined : shown(incident.description)],
  ['Position', latitude === null || longitude === null ? undefined : `${latitude}, ${longitude}`],
  ['Export folder', shown(incident.folder)],
  ['Found at this desk', time(incident.foundAt)],
  ['Last synced', syncedText(incident.records.at(-1)?.at)],
  ['Desk', `${shown(desk.computer)}, account ${shown(desk.account)}`],
  ["Desk's clock", clockText(desk.clockOffsetMs)],
  ['Report created', time(packedAt)],
])}
${listOf('Gaps and differences', missing.map(shown))}
${listOf('Changes', incident.changes.slice(0, MOST_CHANGES).map(changeText), incident.changes.length)}
<h2>How to check this report</h2>
<p>The fingerprint (SHA-256) of every clip that was sent is below, if it is known. A copy of a clip matches what was sent
if, and only if, it has the same fingerprint. All facts here are also in <code>${packFiles.manifest}</code>, which this desk signed. The scripts
<code>verify.sh</code>, <code>verify.ps1</code> and <code>verify.py</code> in this folder check the signature, this report and
your copies. They need the fingerprint of the desk's key. Ask the desk for it; do not rely only on the one printed here.</p>
${facts([
  ["Desk's key", code(desk.key)],
  ['Chain', `row ${chain.head.sequence}, ${code(chain.head.hash)}`],
  ['Previous report', previousPack === null ? 'none' : code(previousPack.manifestSha256)],
  ['Incident', code(incident.id)],
  ['Program', `VMS Export Agent ${shown(desk.programVersion)}, desk ${code(desk.id)}`],
])}
<p class="small">This report proves what this desk found and sent. It does not prove that the recorder was accurate, or what
happened to a file before the desk found it.</p>
</section>`;
}

/** Most changes shown here; the manifest has all of them. */
const MOST_CHANGES = 6;

function leadText(clips: number, sent: number, missing: number): string {
  const some = sent === clips ? 'all' : `${sent === 0 ? 'none' : sent} of the`;
  const count =
    clips === 1
      ? `The service ${sent === 1 ? 'has' : 'does not have'} the only clip of this incident.`
      : `The service has ${some} ${clips} clips of this incident.`;
  return missing === 0
    ? `${count} The custody record is complete.`
    : `${count} ${missing === 1 ? 'One gap or difference is' : `${missing} gaps or differences are`} listed below.`;
}

function clockText(offsetMs: number | null): string {
  if (offsetMs === null) return "not compared with the service's clock";
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  if (seconds < 2) return "matched the service's clock";
  return `${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the service's clock`;
}

const certainty: Readonly<Record<string, string>> = {
  high: 'high confidence',
  medium: 'medium confidence',
  low: 'low confidence',
};

function timeWithSource(
  at: string | null,
  origin: Manifest['incident']['origins'][string] | undefined,
): string {
  return at === null ? 'not known' : `${time(at)}${sourceText(origin)}`;
}

function sourceText(origin: Manifest['incident']['origins'][string] | undefined): string {
  if (origin === undefined) return '';
  const note = origin.note === undefined ? '' : `; ${shown(origin.note)}`;
  return ` <span class="source">(from ${shown(wordsOfSource(origin.source))}, ${certainty[origin.confidence] ?? shown(origin.confidence)}${note})</span>`;
}

function listOf(title: string, items: readonly string[], total = items.length): string {
  if (items.length === 0) return '';
  const more =
    total > items.length ? `<li>and ${total - items.length} more in ${packFiles.manifest}</li>` : '';
  return `<h2>${title}</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}${more}</ul>`;
}

function changeText({ at, what, account, before, after }: NotedChange): string {
  const [then, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...then.keys(), ...now.keys()])];
  const values = names.map((name) => {
    const was = then.get(name) ?? 'empty';
    return now.has(name) ? `${name}: ${was}, now ${now.get(name)}.` : `${name} was ${was}.`;
  });
  return `${time(at)}: ${shown([what, ...values].join(' '))} <span class="source">(account ${shown(account)})</span>`;
}

/** Field names in plain words, with their values. */
function fieldsOf(value: NotedChange['before']): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  return new Map(
    Object.entries(value).map(([name, each]) => {
      const isTime = name.endsWith('At') && typeof each === 'number';
      const text = isTime
        ? time(new Date(each).toISOString())
        : typeof each === 'string'
          ? each
          : JSON.stringify(each);
      return [fieldWords[name] ?? name, each === null ? 'empty' : text];
    }),
  );
}

const fieldWords: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  incidentAt: 'Incident time',
  latitude: 'Latitude',
  longitude: 'Longitude',
  cameraId: 'Camera ID',
  cameraName: 'Camera',
  cameraDescription: 'Camera description',
  cameraLatitude: 'Camera latitude',
  cameraLongitude: 'Camera longitude',
  startedAt: 'Recorded from',
  endedAt: 'Recorded until',
  expectedSha256: 'Stated SHA-256',
  path: 'Path',
  folder: 'Folder',
};

/** It happened before this desk kept a chain, or its row was removed because of its age. */
const NOT_IN_CHAIN = 'not recorded in the chain';

const syncedText = (at: string | undefined): string => (at === undefined ? NOT_IN_CHAIN : time(at));

function clipPart(clip: ManifestClip): string {
  const { sent, sha256, camera, origins } = clip;
  const unsent = `not sent${clip.problem === null ? '' : `: ${shown(clip.problem)}`}`;
  const unnoted = clip.state === 'uploaded' ? NOT_IN_CHAIN : unsent;
  const stateText = sent === null ? unnoted : time(sent.at);
  const picture =
    clip.picture === null
      ? '<div class="picture none">No thumbnail</div>'
      : `<figure class="picture"><img src="${shown(clip.picture)}" alt="Thumbnail of clip ${clip.number}">${clip.pictureNote === null ? '' : `<figcaption>${shown(clip.pictureNote)}</figcaption>`}</figure>`;
  return `<section class="clip">
<h2>${clip.number}. ${shown(basename(clip.path))}</h2>
<div class="columns">
${picture}
${facts([
  [
    'Camera',
    `${shown(camera.name ?? camera.id ?? 'not known')}${sourceText(origins['cameraName'] ?? origins['cameraId'])}`,
  ],
  ['Recorded from', timeWithSource(clip.startedAt, origins['startedAt'])],
  ['Recorded until', timeWithSource(clip.endedAt, origins['endedAt'])],
  ['Found', clip.foundAt === null ? NOT_IN_CHAIN : time(clip.foundAt)],
  ['Sent', stateText],
  ['Size', `${formatBytes(clip.sizeBytes)} (${clip.sizeBytes.toLocaleString('en')} bytes)`],
  ['Name in the service', sent === null ? undefined : code(sent.name)],
  ['Original path', clip.path === basename(clip.path) ? undefined : shown(clip.path)],
])}
</div>
<p class="sum">${sumText(sha256)}</p>
${sent === null ? '' : `<p class="small">Receipt: storage key ${code(sent.storageKey)}, row ${sent.row} of the chain${sent.requestIds.length === 0 ? '' : `, ${shown(sent.requestIds.join(', '))}`}</p>`}
${clip.changes.length === 0 ? '' : `<p class="small">Changes: ${clip.changes.slice(0, 2).map(changeText).join(' ')}${clip.changes.length > 2 ? ` and ${clip.changes.length - 2} more in ${packFiles.manifest}` : ''}</p>`}
</section>`;
}

function sumText({ found, sent, stated }: ManifestClip['sha256']): string {
  const sum = sent ?? found;
  if (sum === null)
    return stated === null ? 'SHA-256: not known' : `SHA-256 (as stated in the export): ${code(stated)}`;
  const same = (other: string | null): boolean => other !== null && other === sum;
  const also = [
    ...(same(found) && sent !== null ? ['as found'] : []),
    ...(same(stated) ? ['as stated in the export'] : []),
  ];
  const differing = [
    ...(found !== null && found !== sum ? [`<br><strong>As found: ${code(found)}</strong>`] : []),
    ...(stated !== null && stated !== sum
      ? [`<br><strong>As stated in the export: ${code(stated)}</strong>`]
      : []),
  ];
  const what = sent === null ? 'as found' : ['as sent', ...also].join(', ');
  return `SHA-256 (${what}): ${code(sum)}${differing.join('')}`;
}

const STYLE = `
@page { size: A4; margin: 14mm 15mm; }
* { box-sizing: border-box; }
body { font: 10.5pt/1.4 "Liberation Sans", Arial, Helvetica, sans-serif; color: #111; margin: 0 auto; max-width: 180mm; }
h1 { font-size: 20pt; line-height: 1.2; margin: 0 0 4mm; overflow-wrap: anywhere; }
h2 { font-size: 12pt; margin: 5mm 0 2mm; overflow-wrap: anywhere; }
.kind { color: #555; margin: 0 0 1mm; }
.lead { font-size: 12pt; border-left: 1mm solid #333; padding-left: 3mm; margin: 0 0 5mm; }
dl { display: grid; grid-template-columns: 38mm minmax(0, 1fr); gap: 1.2mm 4mm; margin: 0; }
dt { color: #555; }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 5mm; }
li { overflow-wrap: anywhere; }
code { font: 8.5pt/1.3 "Liberation Mono", Consolas, Menlo, monospace; overflow-wrap: anywhere; }
.source, .small, figcaption { color: #555; font-size: 9pt; }
.small { margin: 1.5mm 0 0; overflow-wrap: anywhere; }
.incident { break-after: page; }
.clip { min-height: 128mm; break-inside: avoid; border-top: 0.3mm solid #999; padding-top: 1mm; }
.clip h2 { margin-top: 2mm; }
.columns { display: grid; grid-template-columns: 78mm minmax(0, 1fr); gap: 5mm; }
.clip dl { grid-template-columns: 27mm minmax(0, 1fr); align-content: start; }
.picture { margin: 0; }
.picture img { max-width: 78mm; max-height: 62mm; border: 0.2mm solid #999; }
.none { height: 44mm; background: #eee; color: #555; display: grid; place-items: center; }
.sum { margin: 3mm 0 0; }
@media screen { body { padding: 8mm; } }
`;

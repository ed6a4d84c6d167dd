import type { TFunction } from 'i18next';
import type { CheckLine, Health } from '../../../shared/domain/health.ts';
import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import { logLineLevels, type BundleFile, type LogLine } from '../../../shared/ipc/calls/health.ts';
import { type KeyState } from '../../../shared/ipc/calls/settings.ts';
import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** All files of the bundle as one text, each below its name: readable and mailable without any tools. */
export function bundleText(files: readonly BundleFile[]): string {
  return files.map(({ name, text }) => `===== ${name} =====\n${text.trimEnd()}\n`).join('\n');
}

/** File name for a bundle made at this time, in UTC. */
export function bundleName(nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `vms-export-agent-diagnostics-${time}.txt`;
}

/** Formats a time with its zone, as this desk shows times. */
type TimeOf = (time: string) => string;

/** What the agent knows locally about its settings, key, queue and folders, as check lines. */
export function localLines(
  {
    settings,
    key,
    health,
  }: {
    readonly settings: SettingsView | undefined;
    readonly key: KeyState | undefined;
    readonly health: Health | undefined;
  },
  t: TFunction,
  timeOf: TimeOf,
): readonly CheckLine[] {
  return [
    ...(settings === undefined ? [] : [settingsLine(settings, t)]),
    ...(health === undefined
      ? []
      : [...policyLines(health, t, timeOf), queueLine(health, t), ...findingLines(health)]),
    ...(key === undefined ? [] : [keyLine(key, t)]),
    ...(health === undefined
      ? []
      : [
          ...folderLines(health, t, timeOf),
          ...leavingLines(health),
          ...cleanUpLines(health, t),
          ...aheadLines(health, t),
          ...exportLines(health, t),
        ]),
  ];
}

function settingsLine({ file, needsRestart }: SettingsView, t: TFunction): CheckLine {
  const place = file === undefined ? t('health.noFile') : visibleName(file);
  if (!needsRestart) return { name: 'config', state: 'ok', text: t('health.settingsOk', { place }) };
  return { name: 'config', state: 'warning', text: t('health.settingsNewer', { place }) };
}

/** The organisation's policy; nothing on an unmanaged desk. */
function policyLines({ policy }: Health, t: TFunction, timeOf: TimeOf): readonly CheckLine[] {
  if (policy === undefined) return [];
  const { places, settings, signed } = policy;
  const text = t('health.policyOf', { count: settings, places: visibleName(places.join(', ')) });
  if (signed === undefined) return [{ name: 'policy', state: 'ok', text }];
  const { sequence, issuedAt, checkedAt, problem } = signed;
  const times = { issued: timeOf(issuedAt), checked: timeOf(checkedAt) };
  const age = t('health.policySigned', { sequence, ...times });
  const state = problem === undefined ? 'ok' : 'warning';
  return [{ name: 'policy', state, text: [text, age, visibleName(problem ?? '')].join(' ').trim() }];
}

function queueLine({ queue }: Health, t: TFunction): CheckLine {
  return {
    name: 'data',
    state: 'ok',
    text: t('health.queueOk', { size: formatBytes(queue.databaseBytes), count: queue.incidents }),
  };
}

/** Problems repaired at startup, shown for as long as the agent runs. */
function findingLines({ findings }: Health): readonly CheckLine[] {
  return findings.map(({ message }) => ({ name: 'data', state: 'warning', text: visibleName(message) }));
}

function keyLine({ isSet, fingerprint, failure }: KeyState, t: TFunction): CheckLine {
  if (failure !== undefined) return { name: 'key', state: 'failed', text: failure.message, failure };
  if (!isSet) return { name: 'key', state: 'failed', text: t('health.keyMissing') };
  return { name: 'key', state: 'ok', text: t('health.keyOk', { fingerprint }) };
}

function folderLines({ roots }: Health, t: TFunction, timeOf: TimeOf): readonly CheckLine[] {
  if (roots.length === 0) return [{ name: 'folders', state: 'warning', text: t('health.noFolders') }];
  return roots.map((root) => {
    const { path, isOnline, settling, failure, scannedAt, keeps, inFull = [], notAhead = [] } = root;
    const shown = visibleName(path);
    if (failure !== undefined) return { name: 'folders', state: 'failed', text: failure.message, failure };
    if (!isOnline) return { name: 'folders', state: 'failed', text: t('health.folderAway', { path: shown }) };
    const watched = t('health.folderOk', { path: shown, count: settling });
    const proof = scannedAt === undefined ? '' : ` ${t('health.folderProof', { time: timeOf(scannedAt) })}`;
    const waits = `${waitText('health.folderInFull', inFull, t)}${waitText('health.folderNotAhead', notAhead, t)}`;
    return { name: 'folders', state: 'ok', text: `${watched}${proof}${waits}${keepsText(keeps, t)}` };
  });
}

/** How long exports stay in a folder, and how that is known. */
function keepsText(keeps: Health['roots'][number]['keeps'], t: TFunction): string {
  if (keeps === undefined) return '';
  const time = formatDuration(keeps.hours * HOUR_MS);
  const how = keeps.isLearned ? 'health.folderKeepsSeen' : 'health.folderKeeps';
  return ` ${t(how, { time, count: keeps.seen ?? 0 })}`;
}

const HOUR_MS = 60 * 60_000;

/** A warning about exports that may be deleted before they are sent, with figures. */
const leavingLines = ({ leaving }: Health): readonly CheckLine[] =>
  leaving === undefined ? [] : [{ name: 'leaving', state: 'warning', text: visibleName(leaving.message) }];

/** The clean-up that the policy sets, and the exports it leaves in place. */
function cleanUpLines({ cleanUp }: Health, t: TFunction): readonly CheckLine[] {
  if (cleanUp === undefined) return [];
  const { action, afterDays, isOff, waiting, done, kept } = cleanUp;
  const counted = (words: string, count: number): string => (count === 0 ? '' : ` ${t(words, { count })}`);
  const due = counted('health.cleanUpDue', waiting);
  const carriedOut = counted(`health.cleanUpDone.${action}`, done);
  const text = `${t(`health.cleanUp.${action}`, { count: afterDays })}${due}${carriedOut}`;
  return [
    {
      name: 'clean-up',
      state: isOff ? 'warning' : 'ok',
      text: isOff ? t('health.cleanUpOff') : text,
    },
    ...kept.map(({ folder, reason }): CheckLine => {
      const place = visibleName(folder);
      return {
        name: 'clean-up',
        state: 'warning',
        text: t('health.cleanUpKept', { folder: place, reason: visibleName(reason) }),
      };
    }),
  ];
}

/** Formats that are handled differently, and until when; empty when there are none. */
function waitText(
  words: 'health.folderInFull' | 'health.folderNotAhead',
  waits: NonNullable<Health['roots'][number]['inFull']>,
  t: TFunction,
): string {
  return waits
    .map(
      ({ container, until }) =>
        ` ${t(words, { format: container.toUpperCase(), until: until.slice(0, 10) })}`,
    )
    .join('');
}

/** The cost of sending clips while they are being written; nothing when there is none to report. */
function aheadLines({ ahead }: Health, t: TFunction): readonly CheckLine[] {
  if (ahead === undefined) return [];
  const { wastedBytes, limitBytes, refusedUntil } = ahead;
  const refused = t('health.aheadRefused', { until: refusedUntil?.slice(0, 10) });
  if (refusedUntil !== undefined) return [{ name: 'ahead', state: 'warning', text: refused }];
  const numbers = { size: formatBytes(wastedBytes), limit: formatBytes(limitBytes) };
  const isSpent = wastedBytes >= limitBytes;
  const text = t(isSpent ? 'health.aheadSpent' : 'health.aheadOk', numbers);
  return [{ name: 'ahead', state: isSpent ? 'warning' : 'ok', text }];
}

/** Exports that wait for a person. */
function exportLines(
  { exports: { held, missing, unrecognised } }: Health,
  t: TFunction,
): readonly CheckLine[] {
  const line = (text: string): CheckLine => ({ name: 'exports', state: 'warning', text });
  return [
    ...(held === 0 ? [] : [line(t('health.exportsHeld', { count: held }))]),
    ...(missing === 0 ? [] : [line(t('health.exportsMissing', { count: missing }))]),
    ...(unrecognised === 0 ? [] : [line(t('health.exportsUnrecognised', { count: unrecognised }))]),
  ];
}

/** Which log lines to show. */
interface LogFilter {
  /** The minimum level. */
  readonly level: LogLine['level'];
  /** Words that a line must contain, in any order; case is ignored. */
  readonly search: string;
}

/** The matching lines, newest first. */
export function selectLines(lines: readonly LogLine[], { level, search }: LogFilter): readonly LogLine[] {
  const least = logLineLevels.indexOf(level);
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines
    .filter((line) => {
      if (logLineLevels.indexOf(line.level) < least) return false;
      const text = `${line.message} ${line.fields}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toReversed();
}

/** The lines as text for the clipboard, oldest first. */
export function linesText(lines: readonly LogLine[]): string {
  return lines
    .toReversed()
    .map(({ at, level, message, fields }) =>
      `${at} ${level.toUpperCase().padEnd(5)} ${message} ${fields}`.trim(),
    )
    .join('\n');
}

const connection = { to: '/settings', search: { part: 'connection' } } as const;
const folders = { to: '/settings', search: { part: 'folders' } } as const;

/** Where to fix the problem found by a check, by the check's name. */
const fixes: Readonly<Record<string, FixPlace>> = {
  key: { words: 'health.fix.connection', ...connection },
  address: { words: 'health.fix.connection', ...connection },
  tls: { words: 'health.fix.connection', ...connection },
  service: { words: 'health.fix.connection', ...connection },
  permission: { words: 'health.fix.connection', ...connection },
  config: { words: 'health.fix.connection', ...connection },
  folders: { words: 'health.fix.folders', ...folders },
  exports: { words: 'health.fix.exports', to: '/uploads', search: { state: 'held' } },
};

interface FixPlace {
  readonly words: string;
  readonly to: '/settings' | '/uploads';
  readonly search: Readonly<Record<string, string>>;
}

/** Where to fix the problem found by a check; undefined without a problem, or when no screen helps. */
export function fixOf({ name, state }: CheckLine): FixPlace | undefined {
  return state === 'failed' || state === 'warning' ? fixes[name] : undefined;
}

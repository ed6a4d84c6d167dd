import { assertNever } from '../../shared/lib/assert-never.ts';
import { formatBytes } from '../../shared/lib/bytes.ts';
import { formatDuration } from '../../shared/lib/duration.ts';
import { needsPerson, type SeenState } from '../../shared/domain/seen-export.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { AgentEvent } from '../agent/index.ts';
import { counted, jsonText } from './output.ts';

/** The state of an export that is not wholly in the queue, as a word. */
export const seenWords: Readonly<Record<SeenState, string>> = {
  held: 'Held back',
  unrecognised: 'Not taken',
  reading: 'Reading',
  writing: 'Arriving',
  settling: 'Settling',
};

/** Width of the words that lines begin with, characters. */
const WORD_WIDTH = 9;

/** One event as a line for people: glyph, word, thing, reason. Undefined for what passes by itself within a minute. */
export function eventText(event: AgentEvent): string | undefined {
  switch (event.event) {
    case 'incident.found':
      return line(
        '○',
        'Found',
        `${quoted(event.title)}: ${counted(event.clips, 'clip')} in ${visibleName(event.folder)}`,
      );
    case 'incident.synced': {
      const counts = `${event.uploaded} uploaded, ${event.failed} failed, ${event.pending} waiting`;
      return line('✓', 'Recorded', `${quoted(event.title)}: ${counts}`);
    }
    case 'clip.uploaded':
      return line('✓', 'Uploaded', `${visibleName(event.file)} (${formatBytes(event.bytes)})`);
    case 'clip.failed':
      return line('✕', 'Failed', `${event.code}: ${about(event.file, event.message)} ${event.advice}`);
    case 'clip.retrying':
      return line('↻', 'Retrying', `${after(event.delayMs)}: ${about(event.file, event.message)}`);
    case 'file.held':
      return line('○', 'Held', `${event.code}: ${about(event.file, event.message)}`);
    case 'export.state':
      if (!needsPerson(event.state) && event.state !== 'reading') return undefined;
      return line(
        needsPerson(event.state) ? '!' : '○',
        seenWords[event.state],
        `${event.folder === '' ? visibleName(event.root) : quoted(event.folder)}: ${event.message} ${event.advice}`,
      );
    case 'circuit.paused':
      return line(
        '‖',
        'Paused',
        `${event.code}: ${event.message} ${event.advice} Next try ${after(event.delayMs)}.`,
      );
    case 'circuit.resumed':
      return line('▲', 'Resumed', event.circuit);
    case 'root.offline':
      return line('!', 'Offline', `${visibleName(event.root)}: ${event.code}: ${event.message}`);
    case 'root.online':
      return line('✓', 'Online', visibleName(event.root));
    case 'warning':
      return line('!', 'Warning', `${event.code}: ${event.message}`);
    default:
      return assertNever(event);
  }
}

/** One event as a line of `--json` output. */
export function eventJson(event: AgentEvent, atMs: number): string {
  const { event: name, ...rest } = event;
  return jsonText({ event: name, at: new Date(atMs).toISOString(), ...rest });
}

const line = (glyph: string, word: string, text: string): string =>
  `${glyph} ${word.padEnd(WORD_WIDTH)} ${text.trimEnd()}`;

/** A message that does not name its file by itself gets the name in front. */
function about(file: string, message: string): string {
  const name = visibleName(file);
  return message.includes(name) ? message : `${name}: ${message}`;
}

const quoted = (title: string): string => `"${visibleName(title)}"`;
const after = (delayMs: number): string => `in ${formatDuration(delayMs)}`;

import { assertNever } from '../../../../shared/lib/result.ts';
import type { SeenFacts, SeenState } from '../../../../shared/domain/seen-export.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { baseName, fileKindOf, isArchive } from '../naming/file-kinds.ts';
import { isProjectPart, projectWords } from '../naming/vendor-projects.ts';

/** Explains the state of an export that is not in the queue, and what to do about it; for people. */
export interface SeenWords {
  readonly message: string;
  readonly advice: string;
}

const NOTHING = 'Nothing to do.';
/** How many names a sentence lists before it counts the rest. */
const MOST_SAID = 3;

/** Describes an export that is not in the queue. `exportPath` is empty for loose files in a watched folder. */
export function describeSeen(state: SeenState, exportPath: string, facts: SeenFacts): SeenWords {
  switch (state) {
    case 'held':
      return heldWords(facts);
    case 'unrecognised':
      return exportPath === '' ? looseWords(facts) : unrecognisedWords(facts);
    case 'reading': {
      const { done, total } = facts.read ?? { done: 0, total: facts.files };
      const message = `${grouped(done)} of ${counted(total, 'clip')} read.`;
      return { message, advice: `${NOTHING} Clips already read are sent in the meantime.` };
    }
    case 'writing':
      if (facts.sentPercent !== undefined)
        return {
          message: `Still being exported; ${facts.sentPercent}% already sent.`,
          advice: `${NOTHING} It will be fully queued once its files stop changing.`,
        };
      return {
        message: 'Still being written.',
        advice: `${NOTHING} It will be fully queued once its files stop changing.`,
      };
    case 'settling':
      return {
        message: 'The files have stopped changing; waiting to be sure that the recorder has finished.',
        advice: `${NOTHING} They will be queued once the settle time is over.`,
      };
    case 'onHold':
      return {
        message: 'Not sent because of a .hold file.',
        advice: 'Remove that file when the export is complete.',
      };
    case 'ignored':
      if (facts.isDismissed === true)
        return {
          message: 'Ignored at this desk and not sent.',
          advice: `${NOTHING} You will be asked again if the files change.`,
        };
      return {
        message: 'Ignored because of a .ignore file.',
        advice: 'Remove that file to send the export.',
      };
    case 'missing':
      return missingWords(facts);
    case 'copy':
      return copyWords(facts);
    default:
      return assertNever(state);
  }
}

function heldWords({ named, concerned }: SeenFacts): SeenWords {
  const { message, advice } = named[0]?.failure ?? { message: '', advice: '' };
  const others = concerned - 1;
  const more =
    others === 0 ? '' : ` ${counted(others, 'other item')} ${others === 1 ? 'is' : 'are'} held back.`;
  return { message: message + more, advice };
}

function missingWords({ named, concerned, list = '' }: SeenFacts): SeenWords {
  const names = nameList(
    named.map(({ path }) => path),
    concerned,
  );
  return {
    message: `Listed in "${visibleName(list)}" but missing: ${names}.`,
    advice: `Add the missing ${concerned === 1 ? 'file, or send the rest without it' : 'files, or send the rest without them'}.`,
  };
}

function copyWords({ copyOf }: SeenFacts): SeenWords {
  const title = copyOf?.title && visibleName(copyOf.title);
  if (copyOf?.isSent === false)
    return {
      message: `${title === undefined ? 'Other incidents have' : `The incident "${title}" has`} the same clips, but not all of them have been sent yet. Nothing is sent twice.`,
      advice: `${NOTHING} If the clips cannot be sent from there, they will be sent from here.`,
    };
  const message = `Its clips have already been sent${title === undefined ? '' : ` with the incident "${title}"`}. Nothing is sent twice.`;
  const unknown = copyOf?.unknown ?? 0;
  if (unknown === 0) return { message, advice: `${NOTHING} You can remove the copy.` };
  return {
    message: `${message} ${counted(unknown, 'other file')} in it ${unknown === 1 ? 'was' : 'were'} not recognised and not sent.`,
    advice: `Check ${unknown === 1 ? 'that file' : 'those files'} before you remove the copy.`,
  };
}

/** Describes a folder without a clip by what it does contain. */
export function unrecognisedWords({ files, named }: Pick<SeenFacts, 'files' | 'named'>): SeenWords {
  const names = named.map(({ path }) => baseName(path));
  const list = nameList(names, files);
  // If there are many files, only some are known by name: the others may include a recording
  const isAll = (holds: (name: string) => boolean): boolean => names.length === files && names.every(holds);
  if (named.some(({ path }) => isProjectPart(path))) return projectWords;
  const archives = names.filter(isArchive);
  if (archives.length > 0) {
    const isOne = archives.length === 1;
    return {
      message: `No video, but ${isOne ? 'an archive' : 'archives'} that may contain one: ${nameList(archives, archives.length)}. The agent does not open archives.`,
      advice: `Unpack ${isOne ? 'it' : 'them'} into this folder.`,
    };
  }
  if (isAll((name) => fileKindOf(name).kind === 'image'))
    return {
      message: `Only ${files === 1 ? 'a picture' : 'pictures'}, no video: ${list}.`,
      advice: 'Export the incident again with its video. If there is no video, remove the folder.',
    };
  if (isAll((name) => fileKindOf(name).kind === 'program'))
    return {
      message: `Only ${files === 1 ? 'a program' : 'programs'}, no video: ${list}.`,
      advice:
        'Export the incident again as video files, for example MP4. A program that contains the video is sent only if the settings allow it ("watch[].alsoSend" in the settings file) and someone confirms it.',
    };
  return {
    message: `No known video format: ${list}.`,
    advice:
      'Export the incident again as video files, for example MP4. If these are recordings, send them as evidence (in a terminal: "push --as-evidence"), or add a pattern for names like these in Settings, File names ("patterns" in the settings file). Otherwise, ignore the folder in Uploads, or put an empty file named .ignore in it.',
  };
}

function looseWords({ files, named }: SeenFacts): SeenWords {
  const list = nameList(
    named.map(({ path }) => path),
    files,
  );
  const it = files === 1 ? 'It is' : 'They are';
  return {
    message: `${counted(files, 'file')} outside any export folder: ${list}. ${it} not sent.`,
    advice:
      'Move the files of each incident into a separate folder. Or, in Settings, Watched folders ("watch[].unit" in the settings file), choose to send each loose clip as its own incident. If other files are recordings too, send them as evidence.',
  };
}

function nameList(names: readonly string[], total: number): string {
  const shown = names.slice(0, MOST_SAID).map((name) => `"${visibleName(name)}"`);
  const rest = total - shown.length;
  return rest <= 0 ? shown.join(', ') : `${shown.join(', ')} and ${grouped(rest)} more`;
}

const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
const counted = (value: number, noun: string): string => `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`;

import type { Recogniser } from './recogniser.ts';
import { cameras } from './systems/cameras.ts';
import { genericNames } from './systems/generic.ts';
import { homeCameras } from './systems/home-cameras.ts';
import { mobile } from './systems/mobile.ts';
import { openSource } from './systems/open-source.ts';
import { recorders } from './systems/recorders.ts';
import { videoManagement } from './systems/video-management.ts';
import type { PatternSettings } from '../../../../shared/domain/naming-settings.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import { createFindCamera, type FindCamera } from './camera-registry.ts';
import { clockProblem, compilePattern, type OwnPattern } from './own-patterns.ts';

/** Systems, in no particular order: `read-clip-name.ts` tries all of them. */
export const systems: readonly Recogniser[] = [
  ...videoManagement,
  ...recorders,
  ...openSource,
  ...cameras,
  ...homeCameras,
  ...mobile,
];

/** All recognisers; those that belong to no vendor come last, in the order in which they are tried. */
export const recognisers: readonly Recogniser[] = [...systems, ...genericNames];

/**
 * Version of the rules that read paths and facts. Raise it with every change that could read a clip differently: clips
 * already in the queue stay as they were read.
 */
export const CURRENT_READING = 1;

/** The desk's own rules for names, created once from the settings. */
export interface SiteRules {
  /** Patterns for a watched folder, by its path in the settings. */
  readonly patternsFor: (folder: string) => readonly OwnPattern[];
  /** Finds cameras in a watched folder; undefined if the desk knows none. */
  readonly findCameraIn: (folder: string) => FindCamera | undefined;
  /** Send the last write time of a file if nothing says when it was recorded (service.md gap 31). */
  readonly sendsFileTimes: boolean;
}

/** The rules of a desk without patterns or cameras of its own. */
export const noSiteRules: SiteRules = {
  patternsFor: () => [],
  findCameraIn: () => undefined,
  sendsFileTimes: false,
};

/** Creates the rules. Loaded settings contain no invalid pattern. */
export function createSiteRules({
  patterns,
  cameras,
  incident,
}: Pick<Settings, 'patterns' | 'cameras' | 'incident'>): SiteRules {
  const made = patterns.flatMap((settings) => {
    const pattern = compilePattern(settings);
    return pattern.ok ? [{ folder: settings.folder, pattern: pattern.value }] : [];
  });
  return {
    patternsFor: (folder) =>
      made
        .filter((each) => each.folder === undefined || each.folder === folder)
        .map(({ pattern }) => pattern),
    findCameraIn: (folder) =>
      createFindCamera(cameras.filter((each) => each.folder === undefined || each.folder === folder)),
    sendsFileTimes: incident.unknownTimes === 'fileTime',
  };
}

/** A problem with a setting, by its path. */
interface RuleProblem {
  readonly path: string;
  /** The end of a sentence about it. */
  readonly text: string;
}

/** Problems with patterns that are well formed: they do not compile, or do not fit their samples. */
export function patternProblems(patterns: readonly PatternSettings[]): readonly RuleProblem[] {
  const names = new Set(['auto', ...recognisers.map(({ name }) => name)]);
  return patterns.flatMap((settings, index) => {
    const path = `patterns[${index}]`;
    if (names.has(settings.name))
      return [{ path: `${path}.name`, text: `is "${settings.name}", which is already in use` }];
    names.add(settings.name);
    const wrongClock = clockProblem(settings.clock);
    if (wrongClock !== undefined) return [{ path: `${path}.clock`, text: wrongClock }];
    const pattern = compilePattern(settings);
    const field = settings.template === undefined ? 'expression' : 'template';
    if (!pattern.ok) return [{ path: `${path}.${field}`, text: pattern.error }];
    return settings.samples.flatMap((sample, place) => {
      const plain = sample.replaceAll('\\', '/');
      if (pattern.value.read(plain) !== undefined) return [];
      const why =
        pattern.value.parts(plain) === undefined ? 'does not match the pattern' : 'contains an invalid time';
      return [{ path: `${path}.samples[${place}]`, text: `${why}: "${sample}"` }];
    });
  });
}

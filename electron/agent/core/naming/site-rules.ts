import type { PatternSettings } from '../../../../shared/domain/naming-settings.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import { createFindCamera, type FindCamera } from './camera-registry.ts';
import { compilePattern, type OwnPattern } from './own-patterns.ts';
import { recognisers } from './recognisers.ts';

/** What only the desk knows of its names: made once of the settings. */
export interface SiteRules {
  /** Patterns for a watched folder, by its path in the settings. */
  readonly patternsFor: (folder: string) => readonly OwnPattern[];
  /** Finds cameras in it; undefined where the desk knows none. */
  readonly findCameraIn: (folder: string) => FindCamera | undefined;
}

/** Of a desk that has said nothing. */
export const noSiteRules: SiteRules = { patternsFor: () => [], findCameraIn: () => undefined };

/** Makes the rules; settings that were loaded have no pattern that cannot be made. */
export function createSiteRules({ patterns, cameras }: Pick<Settings, 'patterns' | 'cameras'>): SiteRules {
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
  };
}

/** What is wrong with a setting, by its path. */
export interface RuleProblem {
  readonly path: string;
  /** The end of a sentence about it. */
  readonly text: string;
}

/** What is wrong with patterns, though their form is right: a pattern that cannot be made, or does not fit its samples. */
export function patternProblems(patterns: readonly PatternSettings[]): readonly RuleProblem[] {
  const names = new Set(['auto', ...recognisers.map(({ name }) => name)]);
  return patterns.flatMap((settings, index) => {
    const path = `patterns[${index}]`;
    if (names.has(settings.name))
      return [{ path: `${path}.name`, text: `is "${settings.name}", which is the name of another one` }];
    names.add(settings.name);
    const pattern = compilePattern(settings);
    const field = settings.template === undefined ? 'expression' : 'template';
    if (!pattern.ok) return [{ path: `${path}.${field}`, text: pattern.error }];
    return settings.samples.flatMap((sample, place) => {
      if (pattern.value.read(sample.replaceAll('\\', '/')) !== undefined) return [];
      const why =
        pattern.value.parts(sample) === undefined ? 'does not match' : 'gives a time that does not exist';
      return [{ path: `${path}.samples[${place}]`, text: `${why}: "${sample}"` }];
    });
  });
}

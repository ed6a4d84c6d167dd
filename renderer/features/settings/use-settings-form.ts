import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../../../shared/domain/failure.ts';
import { isManaged, settingPath } from '../../../shared/ipc/calls/settings.ts';
import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import { useCallMutation } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import type { TFunction } from 'i18next';

type Sections = SettingsView['settings'];

/** The settings while they are edited: one draft for all parts of the screen, saved at once. */
export interface SettingsForm {
  readonly view: SettingsView;
  /** What is saved, with what was edited since. */
  readonly values: Sections;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly failure: Failure | undefined;
  /** Replaces whole sections of the draft. */
  readonly change: (sections: Partial<Sections>) => void;
  readonly save: () => void;
  readonly discard: () => void;
  /** What the field of a setting (its path as in the file: `upload.concurrentFiles`) has beside its label and its value. */
  readonly field: (path: string, help?: string) => FieldState;
  /** Whether a setting cannot be changed here. */
  readonly isLocked: (path: string) => boolean;
}

/** See `SettingsForm.field`. */
export interface FieldState {
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly isDisabled: boolean;
}

const MIB = 1024 * 1024;
const SIZES_MIB = [5, 8, 16, 32, 64, 128, 256, 512];

/** Sizes of parts to choose from, with the one in use when it is another. */
export function partSizes(
  current: number | undefined,
): readonly { readonly bytes: number; readonly mib: number }[] {
  const sizes = SIZES_MIB.map((mib) => mib * MIB);
  const all = current === undefined || sizes.includes(current) ? sizes : [...sizes, current];
  return all
    .toSorted((left, right) => left - right)
    .map((bytes) => ({ bytes, mib: Math.round((bytes / MIB) * 100) / 100 }));
}

/** Hosts as they are typed, one a line or between commas. An empty last line stays: it is being typed. */
export function readHosts(text: string): string[] {
  return text.split(/[\n,]/).map((host) => host.trim());
}

/** What was said about one setting, when it was refused. */
export function failureOf(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name) === path)?.text;
}

/** What was said about the first refused entry of a list. */
export function failureInList(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name).startsWith(`${path}[`))?.text;
}

/** Where the proxy comes from, as a person chooses it. */
export const proxyWays = ['environment', 'address', 'none'] as const;

/** One of `proxyWays`. */
type ProxyWay = (typeof proxyWays)[number];

/** The choice that an address of the settings stands for; one that is being typed is an address already. */
export function proxyWay(url: string | undefined): ProxyWay {
  if (url === undefined) return 'environment';
  return url.toLowerCase() === 'none' ? 'none' : 'address';
}

/** What the settings say for a choice, before an address is typed. */
export function proxyUrlOf(way: ProxyWay): string | undefined {
  switch (way) {
    case 'environment':
      return undefined;
    case 'address':
      return 'http://';
    case 'none':
      return 'none';
  }
}

/** What stands below a field: what it is for, or that it cannot be changed here. */
function helpText(isLocked: boolean, help: string | undefined, t: TFunction): string | undefined {
  if (help === undefined || !isLocked) return help;
  const locked = t('settings.locked');
  return `${locked} ${help}`;
}

/** Makes the form over what is saved. */
export function useSettingsForm(view: SettingsView): SettingsForm {
  const { t } = useTranslation();
  const { notices } = useServices();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Partial<Sections>>({});
  /** The sections of the draft as they were when it was begun. */
  const [before, setBefore] = useState<Partial<Sections>>({});
  const [failure, setFailure] = useState<Failure>();
  // Uploads go on where they were; where it is refused, the bar at the end of the screen offers it once more
  const apply = useCallMutation('settings.apply', {
    onDone: () => {
      queries.removeQueries({ queryKey: ['connection.check'] });
      notices.show({ level: 'info', text: t('settings.applied') });
    },
    onFailed: notices.failed,
  });
  const save = useCallMutation('settings.save', {
    onDone: (saved) => {
      queries.setQueryData(['settings.get', {}], saved);
      setDraft({});
      setFailure(undefined);
      if (saved.needsRestart) apply.mutate({});
      else notices.show({ level: 'info', text: t('settings.saved') });
    },
    onFailed: setFailure,
  });
  const isLocked = (path: string): boolean => view.file === undefined || isManaged(view.managed ?? [], path);
  const errorOf = (path: string): string | undefined => failureOf(failure, path);
  return {
    view,
    values: { ...view.settings, ...draft },
    isDirty: Object.keys(draft).length > 0,
    isSaving: save.isPending || apply.isPending,
    failure,
    change(sections) {
      const next = { ...draft, ...sections };
      // What was changed back is no change
      const entries = Object.entries(next).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(view.settings, name)),
      );
      setDraft(Object.fromEntries(entries));
      const begun = new Set(entries.map(([name]) => name));
      const seen = Object.entries({ ...view.settings, ...before }).filter(([name]) => begun.has(name));
      setBefore(Object.fromEntries(seen));
    },
    save: () => save.mutate({ change: complete(draft), before }),
    discard() {
      setDraft({});
      setFailure(undefined);
      // What was changed elsewhere meanwhile
      void queries.invalidateQueries({ queryKey: ['settings.get'] });
    },
    field: (path, help) => ({
      description: helpText(isLocked(path), help, t),
      error: errorOf(path),
      isDisabled: isLocked(path),
    }),
    isLocked,
  };
}

/** A line that was begun and left empty is none. */
function complete(draft: Partial<Sections>): Partial<Sections> {
  const { upload, proxy, patterns } = draft;
  return {
    ...draft,
    ...(upload && { upload: { ...upload, hosts: withoutEmpty(upload.hosts) } }),
    ...(patterns && {
      patterns: patterns.map((each) => ({
        ...each,
        samples: withoutEmpty(each.samples.map((name) => name.trim())),
      })),
    }),
    ...(proxy && { proxy: { ...proxy, bypass: withoutEmpty(proxy.bypass) } }),
  };
}

const withoutEmpty = (lines: readonly string[]): string[] => lines.filter((line) => line !== '');

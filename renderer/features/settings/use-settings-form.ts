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

/** The settings being edited: one draft for all sections of the screen, saved together. */
export interface SettingsForm {
  readonly view: SettingsView;
  /** The saved settings with the edits applied. */
  readonly values: Sections;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly failure: Failure | undefined;
  /** Replaces whole sections of the draft. */
  readonly change: (sections: Partial<Sections>) => void;
  readonly save: () => void;
  readonly discard: () => void;
  /** The state of a setting's field besides label and value; `path` is as in the file: `upload.concurrentFiles`. */
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

/** Part sizes to choose from, including the current one if it is not among them. */
export function partSizes(
  current: number | undefined,
): readonly { readonly bytes: number; readonly mib: number }[] {
  const sizes = SIZES_MIB.map((mib) => mib * MIB);
  const all = current === undefined || sizes.includes(current) ? sizes : [...sizes, current];
  return all
    .toSorted((left, right) => left - right)
    .map((bytes) => ({ bytes, mib: Math.round((bytes / MIB) * 100) / 100 }));
}

/** Hosts as typed, separated by lines or commas. An empty last line is kept, since it is being typed. */
export function readHosts(text: string): string[] {
  return text.split(/[\n,]/).map((host) => host.trim());
}

/** Why one setting was refused. */
export function failureOf(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name) === path)?.text;
}

/** Why an entry of a list was refused; the first one only. */
export function failureInList(failure: Failure | undefined, path: string): string | undefined {
  return failure?.fields?.find(({ name }) => settingPath(name).startsWith(`${path}[`))?.text;
}

/** The choices for the proxy. */
export const proxyWays = ['environment', 'address', 'none'] as const;

/** One of `proxyWays`. */
type ProxyWay = (typeof proxyWays)[number];

/** The choice that a setting's address stands for; an incomplete address counts as an address. */
export function proxyWay(url: string | undefined): ProxyWay {
  if (url === undefined) return 'environment';
  return url.toLowerCase() === 'none' ? 'none' : 'address';
}

/** The setting's value for a choice, before an address is typed. */
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

/** The text below a field: its purpose, and whether it is locked. */
function helpText(isLocked: boolean, help: string | undefined, t: TFunction): string | undefined {
  if (help === undefined || !isLocked) return help;
  const locked = t('settings.locked');
  return `${locked} ${help}`;
}

/** Makes the form from the saved settings. */
export function useSettingsForm(view: SettingsView): SettingsForm {
  const { t } = useTranslation();
  const { notices } = useServices();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Partial<Sections>>({});
  /** The draft's sections as they were when editing began. */
  const [before, setBefore] = useState<Partial<Sections>>({});
  const [failure, setFailure] = useState<Failure>();
  // Uploads continue where they were; if this is refused, the bar at the bottom offers it again
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
      // Edits that restore the saved value are not changes
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
      // Picks up changes made elsewhere meanwhile
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

/** Drops empty lines from lists. */
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

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../../../shared/domain/failure.ts';
import { isManaged } from '../../../shared/ipc/calls/settings.ts';
import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import { useCallMutation } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { failureOf, helpText } from './field-texts.ts';

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

/** Makes the form over what is saved. */
export function useSettingsForm(view: SettingsView): SettingsForm {
  const { t } = useTranslation();
  const { notices } = useServices();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Partial<Sections>>({});
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
    },
    save: () => save.mutate({ change: complete(draft) }),
    discard() {
      setDraft({});
      setFailure(undefined);
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

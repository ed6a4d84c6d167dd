import { type AnyRoute, type Router, useBlocker, useRouter } from '@tanstack/react-router';
import { RefreshCw, Save } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { LONGEST_SAMPLE } from '../../../shared/domain/naming-settings.ts';
import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import { useCallMutation, useRead, useDesktopMutation } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/preferences.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Screen } from '../../ui/screen.tsx';
import { FailurePanel, Loaded } from '../../ui/states.tsx';
import { CamerasPart } from './cameras-part.tsx';
import { ConnectionPart } from './connection-part.tsx';
import { DesktopPart, DisplayPart, NotificationsPart, ShortcutsPart, UpdatesPart } from './desktop-part.tsx';
import { FoldersPart } from './folders-part.tsx';
import { NamesPart } from './names-part.tsx';
import type { NameExample } from './propose-pattern.tsx';
import styles from './settings.module.css';
import { ServicePart, UploadsPart } from './uploads-part.tsx';
import { useSettingsForm, type SettingsForm } from './use-settings-form.ts';

/** The sections of the screen, in order. */
const settingsParts = [
  'connection',
  'folders',
  'names',
  'cameras',
  'uploads',
  'service',
  'display',
  'notifications',
  'desktop',
  'updates',
  'shortcuts',
] as const;

/** One of `settingsParts`. */
type SettingsPart = (typeof settingsParts)[number];

/** Sections that only the desktop app has. */
const desktopParts: readonly SettingsPart[] = ['desktop', 'updates'];

/** The sections available here. */
function partsOf(isDesktop: boolean): readonly SettingsPart[] {
  return isDesktop ? settingsParts : settingsParts.filter((part) => !desktopParts.includes(part));
}

/** Longest text about a name that the address carries, characters. */
const LONGEST_TOLD = 200;

/** The screen's search parameters. */
const settingsSearchSchema = z.object({
  part: z.enum(settingsParts).catch('connection'),
  /** A name that needs a pattern. */
  sample: z.string().min(1).max(LONGEST_SAMPLE).optional().catch(undefined),
  /** What a person entered about that name: its camera, and the start on its clock, `2026-05-01 19:30:05`. */
  camera: z.string().min(1).max(LONGEST_TOLD).optional().catch(undefined),
  at: z.string().min(1).max(LONGEST_TOLD).optional().catch(undefined),
});

/** The agent's settings, and how this desk displays things. */
export function SettingsScreen(): ReactNode {
  const { t } = useTranslation();
  const view = useRead('settings.get', {});
  return (
    <Screen title={t('settings.title')}>
      <Loaded read={view}>{(data) => <PartTabs view={data} />}</Loaded>
    </Screen>
  );
}

function PartTabs({ view }: { readonly view: SettingsView }): ReactNode {
  const { t } = useTranslation();
  const { bridge } = useServices();
  const [search, change] = useScreenSearch(settingsSearchSchema);
  const parts = partsOf(bridge.desktop !== undefined);
  const part = parts.includes(search.part) ? search.part : 'connection';
  const form = useSettingsForm(view);
  return (
    <div className={styles['layout']}>
      <Tabs
        orientation="vertical"
        selectedKey={part}
        onSelectionChange={(key) => {
          const chosen = parts.find((each) => each === key);
          if (chosen !== undefined) change({ part: chosen });
        }}
        className={styles['parts'] ?? ''}
      >
        <TabList aria-label={t('settings.parts')} className={styles['list'] ?? ''}>
          {parts.map((id) => (
            <Tab key={id} id={id} className={styles['tab'] ?? ''}>
              {t(`settings.part.${id}`)}
            </Tab>
          ))}
        </TabList>
        {parts.map((id) => (
          <TabPanel key={id} id={id} className={styles['panel'] ?? ''}>
            <h2>{t(`settings.part.${id}`)}</h2>
            <PartBody part={id} form={form} example={search} />
          </TabPanel>
        ))}
      </Tabs>
      <SaveBar form={form} />
      <LeaveGuard form={form} />
    </div>
  );
}

function PartBody({
  part,
  form,
  example,
}: {
  readonly part: SettingsPart;
  readonly form: SettingsForm;
  readonly example: NameExample;
}): ReactNode {
  switch (part) {
    case 'connection':
      return <ConnectionPart form={form} />;
    case 'folders':
      return <FoldersPart form={form} />;
    case 'cameras':
      return <CamerasPart form={form} />;
    case 'names':
      return <NamesPart form={form} example={example} />;
    case 'uploads':
      return <UploadsPart form={form} />;
    case 'service':
      return <ServicePart form={form} />;
    case 'display':
      return <DisplayPart />;
    case 'notifications':
      return <NotificationsPart />;
    case 'desktop':
      return <DesktopPart />;
    case 'updates':
      return <UpdatesPart />;
    case 'shortcuts':
      return <ShortcutsPart />;
  }
}

/** Why settings cannot be changed or are not in use yet, and the buttons to save or discard edits. */
function SaveBar({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { view, failure, isDirty, isSaving } = form;
  const hasNotes = view.file === undefined || view.needsRestart || (view.managed ?? []).length > 0;
  if (!hasNotes && !isDirty && failure === undefined) return null;
  return (
    <section aria-label={t('settings.saving')} className={styles['saveBar']}>
      <FailurePanel failure={failure} title={t('settings.notSaved')} isAlert />
      {view.file === undefined ? <Note text={t('settings.noFile')} /> : null}
      {(view.managed ?? []).length > 0 ? <Note text={t('settings.managed')} /> : null}
      {view.needsRestart ? <ApplyNow isDisabled={isDirty || isSaving} /> : null}
      {isDirty ? (
        <div className="buttons">
          <span>{t('settings.unsaved')}</span>
          <Button onPress={form.discard} isDisabled={isSaving}>
            {t('settings.discard')}
          </Button>
          <Button kind="primary" icon={Save} onPress={form.save} isDisabled={isSaving}>
            {t('common.save')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

/** Saved settings take effect at the next start, or now with this button. Uploads continue where they were. */
function ApplyNow({ isDisabled }: { readonly isDisabled: boolean }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const apply = useCallMutation('settings.apply', {
    onDone: () => notices.show({ level: 'info', text: t('settings.applied') }),
    onFailed: notices.failed,
  });
  return (
    <div className="buttons">
      <Note text={t('settings.needsRestart')} />
      <Button icon={RefreshCw} isDisabled={isDisabled || apply.isPending} onPress={() => apply.mutate({})}>
        {t('settings.applyNow')}
      </Button>
    </div>
  );
}

function Note({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="warning">
      <span aria-hidden>! </span>
      {text}
    </p>
  );
}

/** Asks before edits are lost by going to another screen, closing the tab or quitting. */
function LeaveGuard({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { bridge } = useServices();
  useReportChanges(form.isDirty);
  useAskTypedAddress(form.isDirty);
  const { status, proceed, reset } = useBlocker({
    // The sections of this screen share one draft
    shouldBlockFn: ({ current, next }) => form.isDirty && current.pathname !== next.pathname,
    // Windows of the desktop app do not show that question: refusing to unload would only keep the app from quitting,
    // which asks by itself
    enableBeforeUnload: form.isDirty && bridge.desktop === undefined,
    withResolver: true,
  });
  return (
    <Dialog
      title={t('settings.leaveTitle')}
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      isAlert
      actions={
        <>
          <Button kind="danger" onPress={() => proceed?.()}>
            {t('settings.leaveAnyway')}
          </Button>
          <Button kind="primary" autoFocus onPress={() => reset?.()}>
            {t('settings.stay')}
          </Button>
        </>
      }
    >
      <p>{t('settings.leaveText')}</p>
    </Dialog>
  );
}

/**
 * An address typed over the page's own is a navigation that the router cannot undo, since it does not know how far it
 * went. So the page's address is restored immediately, and the router navigates to the new one itself, which asks.
 */
function useAskTypedAddress(hasChanges: boolean): void {
  const { history } = useRouter<Router<AnyRoute, 'never', boolean>>();
  useEffect(() => {
    if (!hasChanges) return undefined;
    const ask = (event: PopStateEvent): void => {
      if (event.state !== null) return;
      event.stopImmediatePropagation();
      const { hash } = window.location;
      const { href, state } = history.location;
      window.history.replaceState(state, '', history.createHref(href));
      history.push(hash.slice(1));
    };
    window.addEventListener('popstate', ask, { capture: true });
    return () => window.removeEventListener('popstate', ask, { capture: true });
  }, [hasChanges, history]);
}

/** Tells the desktop app about unsaved changes, so that it asks before quitting. Does nothing in a browser. */
function useReportChanges(hasChanges: boolean): void {
  const { bridge } = useServices();
  const { mutate } = useDesktopMutation('unsaved.set');
  const tell = useEffectEvent((has: boolean) => {
    if (bridge.desktop !== undefined) mutate({ hasChanges: has });
  });
  useEffect(() => {
    if (!hasChanges) return undefined;
    tell(true);
    return () => tell(false);
  }, [hasChanges]);
}

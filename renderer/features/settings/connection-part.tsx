import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, PlugZap, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuthSettings } from '../../../shared/domain/settings.ts';
import type { KeyState } from '../../../shared/ipc/calls/settings.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { CheckLines } from '../../ui/facts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { KeyField, KeyPlace } from '../../ui/setup-fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { FailurePanel, Loaded } from '../../ui/states.tsx';
import { failureInList, proxyUrlOf, proxyWay, proxyWays, readHosts } from './use-settings-form.ts';
import styles from './settings.module.css';
import type { SettingsForm } from './use-settings-form.ts';

const schemes = ['bearer', 'header', 'query'] as const;

/** The service's address, how the key is sent, the proxy, and a connection test. */
export function ConnectionPart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { values, change, field, view } = form;
  const { data: keyInUse } = useRead('settings.key', {});
  const { baseUrl, auth, proxy } = view.settings;
  return (
    <>
      <div className="stack">
        <TextField
          label={t('settings.baseUrl')}
          {...field('baseUrl', t('settings.baseUrlHelp'))}
          value={values.baseUrl ?? ''}
          onChange={(baseUrl) => change({ baseUrl })}
          isCode
        />
      </div>
      <KeyPart />
      <div className="stack">
        <SelectField
          label={t('settings.scheme')}
          {...field('auth', t(`settings.schemeHelp.${values.auth.scheme}`))}
          value={values.auth.scheme}
          choices={schemes.map((id) => ({ id, label: t(`settings.schemes.${id}`) }))}
          onChange={(scheme) => change({ auth: authOf(scheme) })}
          error={field('auth.scheme').error}
        />
        <AuthFields form={form} />
        <ProxyFields form={form} />
      </div>
      {/* What was found with another key or other settings says nothing about these */}
      <ConnectionTest
        key={JSON.stringify([baseUrl, auth, proxy, keyInUse])}
        isDirty={form.isDirty}
        needsRestart={view.needsRestart}
      />
    </>
  );
}

function AuthFields({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { auth } = form.values;
  if (auth.scheme === 'bearer') return null;
  return (
    <div className="pair">
      <TextField
        label={t(`settings.authName.${auth.scheme}`)}
        value={auth.name}
        onChange={(name) => form.change({ auth: { ...auth, name } })}
        {...form.field('auth.name')}
        isCode
      />
      {auth.scheme === 'header' ? (
        <TextField
          label={t('settings.authPrefix')}
          value={auth.prefix ?? ''}
          onChange={(prefix) => form.change({ auth: withPrefix(auth.name, prefix) })}
          {...form.field('auth.prefix')}
          isCode
        />
      ) : null}
    </div>
  );
}

/** An authentication scheme with the name that most services use. */
function authOf(scheme: AuthSettings['scheme']): AuthSettings {
  switch (scheme) {
    case 'bearer':
      return { scheme };
    case 'header':
      return { scheme, name: 'X-Api-Key' };
    case 'query':
      return { scheme, name: 'api_key' };
  }
}

const withPrefix = (name: string, prefix: string): AuthSettings =>
  prefix === '' ? { scheme: 'header', name } : { scheme: 'header', name, prefix };

/** The key in use by its fingerprint, where it is kept, and a field for a new one. */
function KeyPart(): ReactNode {
  const { t } = useTranslation();
  const key = useRead('settings.key', {});
  return (
    <section aria-label={t('settings.key')} className={styles['block']}>
      <h3>{t('settings.key')}</h3>
      <Loaded read={key}>{(data) => <KeyInUse state={data} />}</Loaded>
      <KeyField label={t('settings.newKey')} action={t('settings.setKey')} />
    </section>
  );
}

function KeyInUse({ state }: { readonly state: KeyState }): ReactNode {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const { isSet, fingerprint, failure } = state;
  // A key handed over by whatever starts the agent cannot be removed here
  const canForget = (isSet || failure !== undefined) && state.keptIn !== 'credentials';
  return (
    <>
      <FailurePanel failure={failure} />
      {isSet || failure === undefined ? (
        <p>
          <KeyRound size={14} aria-hidden />{' '}
          {isSet ? t('settings.keySet', { fingerprint }) : t('settings.keyMissing')}
        </p>
      ) : null}
      {isSet ? <KeyPlace state={state} /> : null}
      {canForget ? (
        <div>
          <Button icon={Trash2} onPress={() => setAsked(true)}>
            {t('settings.forgetKey')}
          </Button>
        </div>
      ) : null}
      {isAsked ? <ForgetKey close={() => setAsked(false)} /> : null}
    </>
  );
}

/** Asks for confirmation before deleting the key: without it nothing is sent, and nobody here can restore it. */
function ForgetKey({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const queries = useQueryClient();
  const forget = useCallMutation('settings.forgetKey', {
    onDone: (state) => {
      queries.setQueryData(['settings.key', {}], state);
      notices.show({ level: 'info', text: t('settings.keyForgotten') });
      close();
    },
  });
  return (
    <Dialog
      title={t('settings.forgetTitle')}
      isOpen
      onClose={close}
      isAlert
      actions={
        <>
          <Button onPress={close} autoFocus>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" isDisabled={forget.isPending} onPress={() => forget.mutate({})}>
            {t('settings.forgetKey')}
          </Button>
        </>
      }
    >
      <p>{t('settings.forgetText')}</p>
      <FailurePanel failure={forget.error?.failure} isAlert />
    </Dialog>
  );
}

/** Tests the connection: name resolution, TLS, service and key, permission for video, and clock, a line each. */
function ConnectionTest({
  isDirty,
  needsRestart,
}: {
  readonly isDirty: boolean;
  readonly needsRestart: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const test = useCallMutation('connection.check');
  return (
    <section aria-label={t('settings.test')} className={styles['block']}>
      <h3>{t('settings.test')}</h3>
      <p className="dim">{t(isDirty || needsRestart ? 'settings.testsRunning' : 'settings.testHelp')}</p>
      <div>
        <Button icon={PlugZap} onPress={() => test.mutate({})} isDisabled={test.isPending}>
          {t(test.isPending ? 'settings.testing' : 'settings.testAction')}
        </Button>
      </div>
      <div role="status">
        {test.data === undefined ? null : <CheckLines label={t('settings.test')} lines={test.data.lines} />}
      </div>
      <FailurePanel failure={test.error?.failure} isAlert />
    </section>
  );
}

/** The proxy for the service and its storage. Its password is not available to pages. */
function ProxyFields({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { proxy } = form.values;
  const way = proxyWay(proxy.url);
  const bypass = form.field('proxy.bypass', t('settings.proxyBypassHelp'));
  return (
    <>
      <SelectField
        label={t('settings.proxy')}
        {...form.field('proxy.url', t(`settings.proxyHelp.${way}`))}
        value={way}
        choices={proxyWays.map((id) => ({ id, label: t(`settings.proxies.${id}`) }))}
        onChange={(chosen) => form.change({ proxy: { ...proxy, url: proxyUrlOf(chosen) } })}
        {...(way === 'address' && { error: undefined })}
      />
      {way === 'address' ? (
        <TextField
          label={t('settings.proxyUrl')}
          {...form.field('proxy.url', t('settings.proxyUrlHelp'))}
          value={proxy.url ?? ''}
          onChange={(url) => form.change({ proxy: { ...proxy, url: url.trim() } })}
          isCode
        />
      ) : null}
      {way === 'none' ? null : (
        <TextField
          label={t('settings.proxyBypass')}
          {...bypass}
          value={proxy.bypass.join('\n')}
          onChange={(text) => form.change({ proxy: { ...proxy, bypass: readHosts(text) } })}
          error={bypass.error ?? failureInList(form.failure, 'proxy.bypass')}
          lines={3}
          isCode
        />
      )}
    </>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuthSettings } from '../../../shared/domain/settings.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { helpText } from './help-text.ts';
import { KeyPart } from './key-part.tsx';
import { ProxyFields } from './proxy-fields.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const schemes = ['bearer', 'header', 'query'] as const;

/** Where the service is, how the key is presented, the way there, and whether all of it works. */
export function ConnectionPart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { values, change, errorOf, isLocked } = form;
  return (
    <>
      <div className="stack">
        <TextField
          label={t('settings.baseUrl')}
          description={helpText(isLocked('baseUrl'), t('settings.baseUrlHelp'), t)}
          value={values.baseUrl ?? ''}
          onChange={(baseUrl) => change({ baseUrl })}
          error={errorOf('baseUrl')}
          isDisabled={isLocked('baseUrl')}
          isCode
        />
        <SelectField
          label={t('settings.scheme')}
          description={helpText(isLocked('auth'), t(`settings.schemeHelp.${values.auth.scheme}`), t)}
          value={values.auth.scheme}
          choices={schemes.map((id) => ({ id, label: t(`settings.schemes.${id}`) }))}
          onChange={(scheme) => change({ auth: authOf(scheme) })}
          error={errorOf('auth.scheme')}
          isDisabled={isLocked('auth')}
        />
        <AuthFields form={form} />
        <ProxyFields form={form} />
      </div>
      <KeyPart />
      <ConnectionTest isDirty={form.isDirty} needsRestart={form.view.needsRestart} />
    </>
  );
}

function AuthFields({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { auth } = form.values;
  if (auth.scheme === 'bearer') return null;
  const isLocked = form.isLocked('auth');
  return (
    <div className="pair">
      <TextField
        label={t(`settings.authName.${auth.scheme}`)}
        value={auth.name}
        onChange={(name) => form.change({ auth: { ...auth, name } })}
        error={form.errorOf('auth.name')}
        isDisabled={isLocked}
        isCode
      />
      {auth.scheme === 'header' ? (
        <TextField
          label={t('settings.authPrefix')}
          value={auth.prefix ?? ''}
          onChange={(prefix) => form.change({ auth: withPrefix(auth.name, prefix) })}
          error={form.errorOf('auth.prefix')}
          isDisabled={isLocked}
          isCode
        />
      ) : null}
    </div>
  );
}

/** A scheme with the name that most services use for it. */
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

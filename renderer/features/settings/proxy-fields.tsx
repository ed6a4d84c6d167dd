import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { failureInList } from './field-failures.ts';
import { helpText } from './help-text.ts';
import { proxyUrlOf, proxyWay, proxyWays } from './proxy-way.ts';
import { readHosts } from './upload-limits.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** Through which proxy the service and its storage are reached. Its password is no business of a page. */
export function ProxyFields({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { proxy } = form.values;
  const way = proxyWay(proxy.url);
  const isUrlLocked = form.isLocked('proxy.url');
  const isBypassLocked = form.isLocked('proxy.bypass');
  return (
    <>
      <SelectField
        label={t('settings.proxy')}
        description={helpText(isUrlLocked, t(`settings.proxyHelp.${way}`), t)}
        value={way}
        choices={proxyWays.map((id) => ({ id, label: t(`settings.proxies.${id}`) }))}
        onChange={(chosen) => form.change({ proxy: { ...proxy, url: proxyUrlOf(chosen) } })}
        error={way === 'address' ? undefined : form.errorOf('proxy.url')}
        isDisabled={isUrlLocked}
      />
      {way === 'address' ? (
        <TextField
          label={t('settings.proxyUrl')}
          description={helpText(isUrlLocked, t('settings.proxyUrlHelp'), t)}
          value={proxy.url ?? ''}
          onChange={(url) => form.change({ proxy: { ...proxy, url: url.trim() } })}
          error={form.errorOf('proxy.url')}
          isDisabled={isUrlLocked}
          isCode
        />
      ) : null}
      {way === 'none' ? null : (
        <TextField
          label={t('settings.proxyBypass')}
          description={helpText(isBypassLocked, t('settings.proxyBypassHelp'), t)}
          value={proxy.bypass.join('\n')}
          onChange={(text) => form.change({ proxy: { ...proxy, bypass: readHosts(text) } })}
          error={form.errorOf('proxy.bypass') ?? failureInList(form.failure, 'proxy.bypass')}
          isDisabled={isBypassLocked}
          lines={3}
          isCode
        />
      )}
    </>
  );
}

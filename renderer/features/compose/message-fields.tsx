import { useRef, type ReactNode } from 'react';
import { ComboBox, Label, ListBox, ListBoxItem, Popover, Text, FieldError } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../commands/use-command.ts';
import { useServices } from '../../stores/services.ts';
import type { Draft } from '../../stores/draft.ts';
import { ComboInput } from '../../ui/combo-input.tsx';
import fields from '../../ui/fields.module.css';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import overlay from '../../ui/overlay.module.css';
import { TextField } from '../../ui/text-field.tsx';
import { ToggleField } from '../../ui/toggle-field.tsx';
import type { DraftProblem } from './build-message.ts';

type Problems = ReadonlyMap<DraftProblem[0], string>;

/** Where to, what, and on which message. */
export function MessageFields({
  draft,
  problems,
}: {
  readonly draft: Draft;
  readonly problems: Problems;
}): ReactNode {
  const { t } = useTranslation();
  const { set } = useServices().draft.getState();
  const contentProblem = problems.get('content');
  const text = useRef<HTMLDivElement>(null);
  useCommand('compose.text', () => text.current?.querySelector('textarea')?.focus());
  return (
    <>
      <FilterTabs
        label={t('compose.kind')}
        value={draft.kind}
        onChange={(kind) => set({ kind })}
        filters={[
          { id: 'channel', label: t('compose.channel') },
          { id: 'direct', label: t('compose.direct') },
        ]}
      />
      <ChannelField draft={draft} problem={problems.get('channelId')} />
      <div ref={text}>
        <TextField
          label={t('compose.content')}
          value={draft.content}
          onChange={(content) => set({ content })}
          lines={6}
          error={contentProblem === undefined ? undefined : t(contentProblem)}
        />
      </div>
      <TextField
        label={t('compose.parent')}
        description={t('compose.parentHelp')}
        value={draft.parentId}
        onChange={(parentId) => set({ parentId })}
        isCode
      />
      {draft.kind === 'channel' ? (
        <ToggleField
          label={t('compose.terse')}
          value={draft.tersePush}
          onChange={(tersePush) => set({ tersePush })}
        />
      ) : null}
    </>
  );
}

/** The service lists no channels: ids are typed, and those that were used are offered. */
function ChannelField({
  draft,
  problem,
}: {
  readonly draft: Draft;
  readonly problem: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const { set } = useServices().draft.getState();
  const offered = draft.recent.filter(({ kind }) => kind === draft.kind);
  const choose = (id: string): void => {
    if (id === draft.channelId) return;
    // The name of another channel would promise the wrong one
    set({ channelId: id, channelLabel: offered.find((each) => each.id === id)?.label ?? '' });
  };
  return (
    <div className="pair">
      <ComboBox
        className={fields['field'] ?? ''}
        allowsCustomValue
        isInvalid={problem !== undefined}
        inputValue={draft.channelId}
        onInputChange={choose}
      >
        <Label className={fields['label'] ?? ''}>
          {draft.kind === 'channel' ? t('compose.channelId') : t('compose.directId')}
        </Label>
        <ComboInput isCode />
        <Text slot="description" className={fields['description'] ?? ''}>
          {t('compose.channelHelp')}
        </Text>
        <FieldError className={fields['error'] ?? ''}>{problem === undefined ? '' : t(problem)}</FieldError>
        <Popover className={overlay['popover'] ?? ''}>
          <ListBox className={overlay['list'] ?? ''}>
            {offered.map(({ id, label }) => (
              <ListBoxItem key={id} id={id} textValue={id} className={overlay['item'] ?? ''}>
                <code className="ltr">{id}</code> {label}
              </ListBoxItem>
            ))}
          </ListBox>
        </Popover>
      </ComboBox>
      <TextField
        label={t('compose.channelLabel')}
        description={t('compose.channelLabelHelp')}
        value={draft.channelLabel}
        onChange={(channelLabel) => set({ channelLabel })}
      />
    </div>
  );
}

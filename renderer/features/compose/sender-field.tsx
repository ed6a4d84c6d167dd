import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ComboBox, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { MAX_USERS_PER_PAGE } from '../../../shared/domain/team-user.ts';
import { useAsk, useRead } from '../../queries/use-call.ts';
import type { Draft } from '../../stores/draft.ts';
import { useServices } from '../../stores/services.ts';
import { ComboInput } from '../../ui/combo-input.tsx';
import fields from '../../ui/fields.module.css';
import overlay from '../../ui/overlay.module.css';
import { nameMembers, type Member } from './name-members.ts';

/** Pages of users that are read for the choice: 1,000 users; an id can be typed beyond them. */
const MOST_PAGES = 10;

/** Whom the message is attributed to: chosen by name, or typed by id. */
export function SenderField({ draft }: { readonly draft: Draft }): ReactNode {
  const { t } = useTranslation();
  const { set } = useServices().draft.getState();
  const users = useTeam();
  return (
    <ComboBox
      className={fields['field'] ?? ''}
      allowsCustomValue
      inputValue={draft.userName || draft.userId}
      onInputChange={(text) => {
        const chosen = users.find(({ name }) => name === text);
        set(
          chosen === undefined
            ? { userId: text, userName: '' }
            : { userId: String(chosen.id), userName: chosen.name },
        );
      }}
    >
      <Label className={fields['label'] ?? ''}>{t('compose.sendAs')}</Label>
      <ComboInput />
      <Text slot="description" className={fields['description'] ?? ''}>
        {t('compose.sendAsHelp')}
      </Text>
      <Popover className={overlay['popover'] ?? ''}>
        <ListBox className={overlay['list'] ?? ''}>
          {users.map(({ id, name, role }) => (
            <ListBoxItem key={id} id={id} textValue={name} className={overlay['item'] ?? ''}>
              <bdi>{name}</bdi>
              <span className="dim">{role}</span>
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** Everyone who can be chosen; the first page says how many pages there are. */
function useTeam(): readonly Member[] {
  const ask = useAsk();
  const query = (page: number) => ({ filter: {}, page, perPage: MAX_USERS_PER_PAGE });
  const { data: first } = useRead('users.list', query(1));
  const pages = Math.min(first?.totalPages ?? 1, MOST_PAGES);
  const others = useQueries({
    queries: Array.from({ length: pages - 1 }, (_, index) => ({
      queryKey: ['users.list', query(index + 2)],
      queryFn: () => ask('users.list', query(index + 2)),
    })),
  });
  return nameMembers([first, ...others.map(({ data }) => data)].flatMap((page) => page?.users ?? []));
}

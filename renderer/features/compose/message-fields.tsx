import { useEffect, useEffectEvent, useMemo, useRef, type ReactNode } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useMutation } from '@tanstack/react-query';
import { imageTypes, type ImageCheck } from '../../../shared/domain/chat-message.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { useAsk, useTeam } from '../../queries/use-call.ts';
import type { Draft } from '../../stores/outbox.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { TextField, ToggleField } from '../../ui/fields.tsx';
import { FilterTabs, ComboField, SelectField } from '../../ui/select-field.tsx';
import styles from './compose.module.css';
import type { NewMessage } from '../../../shared/domain/chat-message.ts';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** A problem that keeps a draft from being sent: the field, and the string that describes it. */
type DraftProblem = readonly [field: 'channelId' | 'content' | 'imageUrl', text: string];

/** What is missing or wrong in a draft; empty when it can be sent (service.md endpoints 9 and 10). */
export function draftProblems(draft: Draft, image?: ImageCheck): readonly DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (draft.channelId.trim() === '') problems.push(['channelId', 'compose.needChannel']);
  if (draft.content.trim() === '' && draft.imageUrl.trim() === '')
    problems.push(['content', 'compose.needContent']);
  if (draft.imageUrl.trim() !== '' && !isHttps(draft.imageUrl.trim()))
    problems.push(['imageUrl', 'compose.needHttps']);
  else if (image?.kind === 'refused') problems.push(['imageUrl', 'compose.needOtherImage']);
  return problems;
}

function isHttps(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text);
}

/** The message of a draft; empty fields are left out. */
export function buildMessage(draft: Draft): NewMessage {
  const imageUrl = draft.imageUrl.trim();
  const common = {
    channelId: draft.channelId.trim(),
    ...(draft.userId.trim() === '' ? {} : { userId: draft.userId.trim() }),
    ...(draft.content.trim() === '' ? {} : { content: draft.content }),
    ...(draft.parentId.trim() === '' ? {} : { parentId: draft.parentId.trim() }),
    ...(imageUrl === '' ? {} : { image: { url: imageUrl, type: draft.imageType } }),
  };
  if (draft.kind === 'direct') return { kind: 'direct', ...common };
  return { kind: 'channel', ...common, ...(draft.tersePush ? { tersePush: true } : {}) };
}

/** Whether the draft could be replaced by another message without losing anything. */
export function isBlank({ content, imageUrl, parentId }: Draft): boolean {
  return [content, imageUrl, parentId].every((text) => text.trim() === '');
}

/** The draft that a message came from, to edit it again: with its own sender and channel, not those in the form now. */
export function draftOf(
  message: NewMessage,
  senderName: string,
  recent: Draft['recent'],
): Omit<Draft, 'recent' | 'imageType'> & Partial<Draft> {
  const channelId = String(message.channelId);
  return {
    kind: message.kind,
    channelId,
    channelLabel: recent.find(({ kind, id }) => kind === message.kind && id === channelId)?.label ?? '',
    userId: message.userId === undefined ? '' : String(message.userId),
    userName: message.userId === undefined || String(message.userId) === senderName ? '' : senderName,
    content: message.content ?? '',
    parentId: message.parentId === undefined ? '' : String(message.parentId),
    tersePush: message.kind === 'channel' && message.tersePush === true,
    imageUrl: message.image?.url ?? '',
    ...(message.image === undefined ? {} : { imageType: message.image.type }),
  };
}

/** A user that a message can be sent as. */
interface Member {
  readonly id: string | number;
  /** Unique among the members. */
  readonly name: string;
  readonly role: string | undefined;
}

/** Gives members distinct names: where two share a name, each gets its ID appended. */
export function nameMembers(users: readonly TeamUser[]): readonly Member[] {
  const named = users.map((user) => ({ id: user.id, name: visibleName(userName(user)), role: user.role }));
  const counts = new Map<string, number>();
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map((member) =>
    counts.get(member.name) === 1 ? member : { ...member, name: `${member.name} · ${member.id}` },
  );
}

type Problems = ReadonlyMap<DraftProblem[0], string>;

/** Recipient, text, and the message replied to. */
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

/** The service does not list channels: IDs are typed, and recently used ones are offered. */
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
    // Keeping the previous label would show the wrong channel
    set({ channelId: id, channelLabel: offered.find((each) => each.id === id)?.label ?? '' });
  };
  return (
    <div className="pair">
      <ComboField
        label={draft.kind === 'channel' ? t('compose.channelId') : t('compose.directId')}
        description={t('compose.channelHelp')}
        error={problem === undefined ? undefined : t(problem)}
        value={draft.channelId}
        onChange={choose}
        choices={offered.map(({ id, label }) => ({
          id,
          text: id,
          shown: (
            <>
              <code className="ltr">{id}</code> {label}
            </>
          ),
        }))}
        isCode
      />
      <TextField
        label={t('compose.channelLabel')}
        description={t('compose.channelLabelHelp')}
        value={draft.channelLabel}
        onChange={(channelLabel) => set({ channelLabel })}
      />
    </div>
  );
}

/** The sender of the message: chosen by name, or typed by ID. */
export function SenderField({ draft }: { readonly draft: Draft }): ReactNode {
  const { t } = useTranslation();
  const { set } = useServices().draft.getState();
  const { data: team, isLoading, error } = useTeam();
  const users = useMemo(
    () => nameMembers(team?.users.filter(({ isActive }) => isActive !== false) ?? []),
    [team],
  );
  return (
    <ComboField
      label={t('compose.sendAs')}
      isLoading={isLoading}
      description={
        team === undefined && error !== null
          ? `! ${t('compose.teamFailed', { message: error.failure.message })}`
          : t('compose.sendAsHelp')
      }
      value={draft.userName || draft.userId}
      onChange={(text) => {
        const chosen = users.find(({ name }) => name === text);
        set(
          chosen === undefined
            ? { userId: text, userName: '' }
            : { userId: String(chosen.id), userName: chosen.name },
        );
      }}
      choices={users.map(({ id, name, role }) => ({
        id,
        text: name,
        shown: (
          <>
            <bdi>{name}</bdi>
            <span className="dim">{role}</span>
          </>
        ),
      }))}
    />
  );
}

/** Pause in typing after which an address is checked, milliseconds. */
const CHECK_AFTER_MS = 800;

/** Checks the image of a draft once its address is typed. */
export function useImageLook({ imageUrl, imageType }: Draft) {
  const ask = useAsk();
  const url = imageUrl.trim();
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: () => ask('messages.checkImage', { image: { url, type: imageType } }),
  });
  const look = useEffectEvent(() => mutate());
  const forget = useEffectEvent(reset);
  useEffect(() => {
    forget();
    if (!isHttps(url)) return undefined;
    const timer = setTimeout(() => look(), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [url, imageType]);
  return { data, isPending };
}

/** The image of the notification, and the result of checking it. */
export function ImageFields({
  draft,
  problem,
  look: { data, isPending },
}: {
  readonly draft: Draft;
  readonly problem: string | undefined;
  readonly look: ReturnType<typeof useImageLook>;
}): ReactNode {
  const { t } = useTranslation();
  const { set } = useServices().draft.getState();
  const text = isPending ? t('compose.imageChecking') : data === undefined ? '' : checkText(data, t);
  return (
    <>
      <div className="pair">
        <TextField
          label={t('compose.image')}
          description={t('compose.imageHelp')}
          value={draft.imageUrl}
          onChange={(imageUrl) => set({ imageUrl })}
          error={problem === undefined ? undefined : t(problem)}
          isCode
        />
        <SelectField
          label={t('compose.imageType')}
          value={draft.imageType}
          choices={imageTypes.map((id) => ({ id, label: id }))}
          onChange={(imageType) => set({ imageType })}
        />
      </div>
      <p role="status" className={styles['check']} data-kind={data?.kind}>
        {text}
      </p>
    </>
  );
}

function checkText(check: ImageCheck, t: TFunction): string {
  if (check.kind === 'refused') return `✕ ${t('compose.imageRefused', { reason: check.reason })}`;
  if (check.kind === 'unchecked') return `! ${t('compose.imageUnchecked', { reason: check.reason })}`;
  if (check.sizeBytes === undefined) return `✓ ${t('compose.imageFine', { type: check.type })}`;
  return `✓ ${t('compose.imageFineSize', { type: check.type, size: formatBytes(check.sizeBytes) })}`;
}

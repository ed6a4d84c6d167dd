import type { NewMessage } from '../../../shared/domain/chat-message.ts';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { Draft } from '../../stores/outbox.ts';

/** What keeps a draft from being sent: field and the string that says why. */
export type DraftProblem = readonly [field: 'channelId' | 'content' | 'imageUrl', text: string];

/** What is missing or wrong in a draft; empty when it can be sent (service.md endpoints 9 and 10). */
export function draftProblems(draft: Draft): readonly DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (draft.channelId.trim() === '') problems.push(['channelId', 'compose.needChannel']);
  if (draft.content.trim() === '' && draft.imageUrl.trim() === '')
    problems.push(['content', 'compose.needContent']);
  if (draft.imageUrl.trim() !== '' && !isHttps(draft.imageUrl.trim()))
    problems.push(['imageUrl', 'compose.needHttps']);
  return problems;
}

function isHttps(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text);
}

/** The message that a draft says; what was left empty is left out. */
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

/** True when nothing would be lost if another message took its place. */
export function isBlank({ content, imageUrl, parentId }: Draft): boolean {
  return [content, imageUrl, parentId].every((text) => text.trim() === '');
}

/** The draft that a message came from, to write it anew: with its own sender and channel, whatever stands there now. */
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

/** Someone as whom a message can be sent. */
export interface Member {
  readonly id: string | number;
  /** Different for each of them. */
  readonly name: string;
  readonly role: string | undefined;
}

/** Names by which members can be told apart: where two share a name, each has the id beside it. */
export function nameMembers(users: readonly TeamUser[]): readonly Member[] {
  const named = users.map((user) => ({ id: user.id, name: visibleName(userName(user)), role: user.role }));
  const counts = new Map<string, number>();
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map((member) =>
    counts.get(member.name) === 1 ? member : { ...member, name: `${member.name} · ${member.id}` },
  );
}

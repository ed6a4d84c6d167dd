import { act, screen, within } from '@testing-library/react';
import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import { ComposeScreen } from '../../../../../renderer/features/compose/compose-screen.tsx';
import { UNDO_MS } from '../../../../../renderer/stores/outbox.ts';
import { showPart, type Answers } from '../../show-part.tsx';

const CHANNEL = '7301';
const names = ['Ada Lovelace', 'Grace Hopper', 'Ada Lovelace'];
const users = names.map((name, index) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  return { id: `u-${index + 1}`, loginType: 'PHONE_NUMBER', firstName, lastName, isActive: true } as const;
});

const answers: Answers = {
  'users.list': () => ({ users, page: 1, perPage: 100, totalPages: 1, responseCount: 3, totalCount: 3 }),
  'messages.post': () => ({ id: 5_500_001 }),
};

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

async function write(words: string) {
  const part = await showPart(<ComposeScreen />, answers);
  const text = screen.getByLabelText<HTMLTextAreaElement>('Text');
  await part.user.type(screen.getByRole('combobox', { name: 'Channel ID' }), CHANNEL);
  await part.user.type(text, words);
  const send = (): Promise<void> => part.user.click(screen.getByRole('button', { name: /^Send$/ }));
  const history = within(screen.getByRole('complementary', { name: 'Recent messages' }));
  return { ...part, text, send, history };
}

describe('the form of a message', () => {
  it('keeps both: a message that is taken back, and the next one that is being written', async () => {
    const { user, text, send, history, asked } = await write('First');
    await send();
    await user.type(text, 'Second, half wri');
    await user.click(history.getByRole('button', { name: 'Undo' }));
    expect(text.value).toBe('Second, half wri');
    expect(history.getByText('✕ Not sent')).toBeDefined();
    expect(history.getByText(/\d\d:\d\d:\d\d.(?:UTC|GMT)/, { selector: 'time' })).toBeDefined();
    await user.click(history.getByRole('button', { name: 'Edit and send again' }));
    expect(text.value).toBe('First');
    await act(() => vi.advanceTimersByTimeAsync(UNDO_MS));
    expect(history.getByText('First')).toBeDefined();
    expect(asked('messages.post')).toEqual([]);
  });

  it('sends as the one who was chosen of two people with one name', async () => {
    const { user, send, history, asked } = await write('Which one');
    await user.type(screen.getByRole('combobox', { name: 'Send as' }), 'Ada Lovelace');
    await user.click(await screen.findByRole('option', { name: /Ada Lovelace · u-3/ }));
    await send();
    await act(() => vi.advanceTimersByTimeAsync(UNDO_MS));
    expect(history.getByText(/✓ Sent/)).toBeDefined();
    expect(asked('messages.post')).toEqual([
      { message: expect.objectContaining({ channelId: CHANNEL, userId: 'u-3', content: 'Which one' }) },
    ]);
  });

  it('suggests people to whoever typed a name before the list of users came', async () => {
    const list = { users, page: 1, perPage: 100, totalPages: 1, responseCount: 3, totalCount: 3 };
    const coming = Promise.withResolvers<typeof list>();
    const { user } = await showPart(<ComposeScreen />, { 'users.list': () => coming.promise });
    const sender = screen.getByRole<HTMLInputElement>('combobox', { name: 'Send as' });
    await user.type(sender, 'Grace');
    expect(await screen.findByText('Loading')).toBeDefined();
    coming.resolve(list);
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }));
    expect(sender.value).toBe('Grace Hopper');
  });

  it('says at its fields what is missing, and sends nothing', async () => {
    const { user, send, asked } = await write('Half a mess');
    await user.clear(screen.getByRole('combobox', { name: 'Channel ID' }));
    await user.type(screen.getByLabelText('Image for wrist devices'), 'http://example.com/a.png');
    await send();
    expect(screen.getByText(/Enter a channel ID/)).toBeDefined();
    expect(screen.getByText(/valid link that begins with https/)).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(UNDO_MS));
    expect(asked('messages.post')).toEqual([]);
  });

  it('does not send an image that it shows as not accepted', async () => {
    const part = await showPart(<ComposeScreen />, {
      ...answers,
      'messages.checkImage': () => ({ kind: 'refused', reason: 'It is a BMP.' }),
    });
    await part.user.type(screen.getByRole('combobox', { name: 'Channel ID' }), CHANNEL);
    await part.user.type(screen.getByLabelText('Image for wrist devices'), 'https://a.test/b.png');
    await act(() => vi.advanceTimersByTimeAsync(1000));
    await screen.findByText('✕ Not accepted: It is a BMP.');
    await part.user.click(screen.getByRole('button', { name: /^Send$/ }));
    expect(screen.getByText(/^This image is not accepted/)).toBeDefined();
    expect(part.services.outbox.getState().messages).toEqual([]);
  });

  it('says why nobody is suggested when the team cannot be loaded', async () => {
    const failure = { code: 'NETWORK', message: 'No connection.', advice: 'Wait.', retryable: true } as const;
    await showPart(<ComposeScreen />, { ...answers, 'users.list': () => ({ failure }) });
    expect(await screen.findByText(/Could not load the team: No connection\./)).toBeDefined();
  });
});

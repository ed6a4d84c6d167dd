import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../electron/agent/index.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import {
  createNativeNotifications,
  createNewsPicker,
  groupNews,
  type NewsCard,
  startNotifications,
} from '../../../../electron/desktop/tray/notifications.ts';
import { createSeenWindow, say } from '../../../helpers/desk-tools.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { createKeptLog } from '../../../helpers/queue-fixture.ts';

const failed = (
  incidentId: string,
  message = 'Empty file: ramp.mp4.',
  code: FailureCode = 'FILE_EMPTY',
): AgentEvent => ({
  event: 'clip.failed',
  incidentId,
  clipId: 'c1',
  file: 'ramp.mp4',
  code,
  message,
  advice: 'Export it again.',
});
const synced = (
  incidentId: string,
  change: { uploaded?: number; failed?: number; pending?: number } = {},
) => ({
  event: 'incident.synced' as const,
  incidentId,
  title: 'Ramp',
  uploaded: 2,
  failed: 0,
  pending: 0,
  ...change,
});
const paused = (code: 'NETWORK' | 'KEY_REFUSED'): AgentEvent => ({
  event: 'circuit.paused',
  circuit: 'service',
  code,
  message: 'The key was refused.',
  advice: 'Enter it again.',
  delayMs: 1000,
});

const warning = (code: 'EXPORTS_LEAVING' | 'EXPORT_COPY', message: string): AgentEvent => ({
  event: 'warning',
  code,
  message,
});

describe('checklist 15: what is news', () => {
  const root: AgentEvent = {
    event: 'root.offline',
    root: '/e',
    code: 'ROOT_OFFLINE',
    message: 'Away.',
    advice: 'Connect it.',
  };
  it.each([
    [failed('i1'), { kind: 'failed', text: 'Empty file: ramp.mp4. Export it again.', incidentId: 'i1' }],
    [failed('i1', 'Cancelled.', 'CANCELLED'), undefined],
    [paused('KEY_REFUSED'), { kind: 'stopped', text: 'The key was refused. Enter it again.' }],
    [paused('NETWORK'), undefined],
    [root, { kind: 'stopped', text: 'Away. Connect it.' }],
    [
      warning('EXPORTS_LEAVING', '2 incidents are expected to be deleted.'),
      { kind: 'leaving', text: '2 incidents are expected to be deleted.' },
    ],
    [warning('EXPORT_COPY', 'A copy.'), undefined],
    [synced('i1'), { kind: 'finished', text: 'Ramp: 2 clips sent.', incidentId: 'i1' }],
    [synced('i1', { pending: 1 }), undefined],
    [synced('i1', { failed: 1 }), undefined],
    [synced('i1', { uploaded: 0 }), undefined],
    [
      failed('i1', 'a\u202Eb'),
      { kind: 'failed', text: 'a<U+202E>b (ramp.mp4) Export it again.', incidentId: 'i1' },
    ],
    [
      failed('i1', 'Too large.'),
      { kind: 'failed', text: 'Too large. (ramp.mp4) Export it again.', incidentId: 'i1' },
    ],
  ])('%j', (event, news) => {
    expect(createNewsPicker(say).of(event)).toEqual(news);
  });

  it('an incident is finished once, though its record is written again', () => {
    const picker = createNewsPicker(say);
    expect(picker.of(synced('i1'))).toBeDefined();
    expect(picker.of(synced('i1'))).toBeUndefined();
    expect(picker.of(synced('i1', { uploaded: 3 }))).toBeDefined();
  });
});

describe('one card for all of a kind', () => {
  const news = (kind: 'failed' | 'finished', incidentId: string) => ({ kind, text: 'Text.', incidentId });
  it.each([
    ['none', [], []],
    ['one', [news('failed', 'a')], [['A clip failed', 'a']]],
    ['several of one incident', [news('failed', 'a'), news('failed', 'a')], [['2 clips failed', 'a']]],
    ['several incidents', [news('failed', 'a'), news('failed', 'b')], [['2 clips failed', undefined]]],
    [
      'kinds apart, failures first',
      [news('finished', 'a'), news('failed', 'b'), news('finished', 'c')],
      [
        ['A clip failed', 'b'],
        ['2 incidents sent', undefined],
      ],
    ],
  ])('%s', (_name, all, cards) => {
    expect(groupNews(all, say).map(({ title, incidentId }) => [title, incidentId])).toEqual(cards);
  });
});

describe('notifications', () => {
  function openDesk(notifyFinished = false) {
    const events = new AgentEvents();
    const clock = createFakeClock();
    const seen = createSeenWindow();
    const shown: { readonly card: NewsCard; readonly click: () => void }[] = [];
    const notifications = startNotifications({
      say,
      events,
      window: seen.window,
      choice: { get: () => ({ closeToTray: true, startAtLogin: false, notifyFinished, isGpuUsed: true }) },
      clock,
      show: (card, click) => void shown.push({ card, click }),
    });
    return { events, clock, shown, notifications, ...seen };
  }

  it('collect for four seconds and then say it once, with a count', async () => {
    const desk = openDesk();
    for (const id of ['a', 'a', 'a']) desk.events.emit(failed(id));
    await desk.clock.advance(3_900);
    expect(desk.shown).toEqual([]);
    await desk.clock.advance(200);
    expect(desk.shown.map(({ card }) => card.title)).toEqual(['3 clips failed']);
    desk.events.emit(failed('b'));
    await desk.clock.advance(4_000);
    expect(desk.shown).toHaveLength(2);
  });

  it('bring the window up and show the incident when they are clicked', async () => {
    const desk = openDesk();
    desk.events.emit(failed('a'));
    await desk.clock.advance(4_000);
    desk.shown[0]?.click();
    expect(desk.seen).toEqual(['front', { kind: 'showIncident', incidentId: 'a' }]);
  });

  it('are not for one who looks at the window', async () => {
    const desk = openDesk();
    desk.focus(true);
    desk.events.emit(failed('a'));
    await desk.clock.advance(4_000);
    desk.focus(false);
    await desk.clock.advance(4_000);
    expect(desk.shown).toEqual([]);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('tell of finished incidents by choice: %s', async (notifyFinished, count) => {
    const desk = openDesk(notifyFinished);
    desk.events.emit(synced('a'));
    await desk.clock.advance(4_000);
    expect(desk.shown).toHaveLength(count);
  });

  it('end with the app', async () => {
    const desk = openDesk();
    desk.events.emit(failed('a'));
    desk.notifications.stop();
    desk.events.emit(failed('b'));
    await desk.clock.advance(8_000);
    expect(desk.shown).toEqual([]);
  });
});

describe('a notification of the system', () => {
  it.each([
    ['linux', '&lt;a href="https://evil.example"&gt;Sign in&lt;/a&gt; &amp; more'],
    ['win32', '<a href="https://evil.example">Sign in</a> & more'],
  ] as const)('on %s takes what a title says for text', (platform, body) => {
    const shown: unknown[] = [];
    class Notification extends EventEmitter {
      static isSupported = (): boolean => true;
      constructor(card: unknown) {
        super();
        shown.push(card);
      }
      show(): void {
        this.emit('show');
      }
    }
    const show = createNativeNotifications({ Notification } as never, platform, createKeptLog());
    show({ title: 'Done', body: '<a href="https://evil.example">Sign in</a> & more' }, () => undefined);
    expect(shown).toEqual([{ title: 'Done', body }]);
  });
});

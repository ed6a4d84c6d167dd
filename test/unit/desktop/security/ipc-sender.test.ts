import { describe, expect, it } from 'vitest';
import {
  isOwnSender,
  readSender,
  type SenderFacts,
} from '../../../../electron/desktop/security/ipc-sender.ts';

const own: SenderFacts = {
  isOwnWindow: true,
  isMainFrame: true,
  isGone: false,
  url: 'app://desk/#/uploads',
  origin: 'app://desk',
};

const refused: readonly (readonly [string, Partial<SenderFacts>])[] = [
  ['another window', { isOwnWindow: false }],
  ['a frame in the page', { isMainFrame: false }],
  ['a frame that is gone', { isGone: true }],
  ['an empty address', { url: '' }],
  ['about:blank', { url: 'about:blank' }],
  ['about:srcdoc', { url: 'about:srcdoc' }],
  ['another host', { url: 'app://other/' }],
  ['a host that begins as ours', { url: 'app://desk.evil/' }],
  ['a user name that looks like ours', { url: 'app://desk@evil/' }],
  ['a blob of ours', { url: 'blob:app://desk/1c4a' }],
  ['a web page', { url: 'https://desk/', origin: 'https://desk' }],
  ['our address with another origin', { origin: 'https://evil' }],
  ['our address with no origin', { origin: 'null' }],
  ['our address with an empty origin', { origin: '' }],
  ['an origin in capitals', { origin: 'APP://desk' }],
  ['a file', { url: 'file:///desk/', origin: 'file://' }],
];

describe('who may send messages', () => {
  it('is the main frame of our window, on a page of ours', () => {
    expect(isOwnSender(own)).toBe(true);
  });

  it.each(refused)('not %s', (_, facts) => {
    expect(isOwnSender({ ...own, ...facts })).toBe(false);
  });
});

describe('reading the sender of a message', () => {
  const mainFrame = {
    parent: null,
    detached: false,
    isDestroyed: () => false,
    url: 'app://desk/',
    origin: 'app://desk',
  };
  const contents = { mainFrame };
  const read = (senderFrame: unknown, sender: unknown = contents) =>
    readSender({ sender, senderFrame } as never, contents as never);

  it('knows our own frame', () => {
    expect(isOwnSender(read(mainFrame))).toBe(true);
  });

  it.each([
    ['no frame', null, contents],
    ['a destroyed frame', { ...mainFrame, isDestroyed: () => true }, contents],
    ['a detached frame', { ...mainFrame, detached: true }, contents],
    ['a frame below another', { ...mainFrame, parent: mainFrame }, contents],
    ['a frame that is not the main one', { ...mainFrame }, contents],
    ['other contents', mainFrame, { mainFrame }],
  ])('and refuses %s', (_, frame, sender) => {
    expect(isOwnSender(read(frame, sender))).toBe(false);
  });

  it('refuses all while there is no window', () => {
    const facts = readSender({ sender: contents, senderFrame: mainFrame } as never, undefined);
    expect(isOwnSender(facts)).toBe(false);
  });
});

import { app } from 'electron/main';
import { openUpdater } from '../../../electron/desktop/updates/open-updates.ts';

/** Looks for updates with the real updater, in a process of its own: gives up when told to, then looks again. */
const { log: say } = console;
const ignore = (): void => undefined;
const updater = await openUpdater({
  app,
  appImage: process.env['APPIMAGE'],
  rules: { kind: 'on', feedUrl: process.env['FEED'] ?? '', channel: 'latest', publicKey: '' },
  platform: process.platform,
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
});

process.stdin.once('data', () => void updater.giveUp());
const first = await updater.look().then(
  () => 'answered',
  (error: Error) => error.message,
);
say(`first: ${first}`);
say(`second: ${(await updater.look()) ?? 'nothing'}`);
process.exit(0);

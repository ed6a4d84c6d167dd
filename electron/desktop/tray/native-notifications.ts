import type { Notification } from 'electron/main';
import type { Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import type { NewsCard } from './group-news.ts';

/** Notifications that are kept so that a click on them is heard; systems hold about as many. */
const MOST_KEPT = 20;

/** Shows notifications of the system; one that nobody refers to would be collected, and its click lost. */
export function createNativeNotifications(
  { Notification }: Pick<ElectronApi, 'Notification'>,
  logger: Logger,
): (card: NewsCard, onClick: () => void) => void {
  let kept: readonly Notification[] = [];
  return ({ title, body }, onClick) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    const forget = (): void => {
      kept = kept.filter((each) => each !== notification);
    };
    notification.on('click', () => {
      forget();
      onClick();
    });
    notification.on('close', forget);
    notification.on('failed', (_event, error) => {
      forget();
      logger.warn('A notification could not be shown', { error });
    });
    kept = [...kept, notification].slice(-MOST_KEPT);
    notification.show();
  };
}

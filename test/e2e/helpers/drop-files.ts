import type { Page } from '@playwright/test';

/** A drag of real files and folders over the middle of the page, as the system reports it. */
export async function dragFiles(page: Page, paths: readonly string[]) {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', {
      type,
      x: 700,
      y: 400,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  await send('dragEnter');
  await send('dragOver');
  return {
    // Like a moving hand: a drop long after the last move may get lost
    async drop() {
      await send('dragOver');
      await send('drop');
    },
    // The protocol has no event for a pointer that leaves the window
    leave: () =>
      page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))),
  };
}

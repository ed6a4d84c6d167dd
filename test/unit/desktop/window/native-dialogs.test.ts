import { describe, expect, it } from 'vitest';
import { createNativeDialogs, type Question } from '../../../../electron/desktop/window/native-dialogs.ts';

const question: Question = {
  kind: 'question',
  message: 'Quit?',
  detail: '',
  buttons: ['Keep working', 'Quit'],
  usual: 0,
  cancel: 0,
};
const theWindow = { name: 'window' };

function createDesk({ isSeen = true, isThere = true } = {}) {
  const shownAbove: unknown[] = [];
  const brought: string[] = [];
  const record = async (...args: readonly unknown[]) => {
    shownAbove.push(args.length > 1 ? args[0] : 'nothing');
    return { response: 1, checkboxChecked: false, canceled: false, filePaths: ['/a'], filePath: '/a' };
  };
  const dialogs = createNativeDialogs({
    dialog: { showMessageBox: record, showOpenDialog: record, showSaveDialog: record },
    parent: () => (isSeen && isThere ? (theWindow as never) : undefined),
    async front() {
      brought.push('front');
      return isThere ? (theWindow as never) : undefined;
    },
  });
  return { dialogs, shownAbove, brought };
}

describe('the dialogs of the system', () => {
  it.each([
    ['a question', (desk: ReturnType<typeof createDesk>) => desk.dialogs.ask(question)],
    ['the choice of a folder', (desk: ReturnType<typeof createDesk>) => desk.dialogs.chooseFolder()],
    ['the choice of a place', (desk: ReturnType<typeof createDesk>) => desk.dialogs.chooseSavePlace('a')],
  ])('%s brings the window up and stands above it, never alone', async (_what, show) => {
    const hidden = createDesk({ isSeen: false });
    await show(hidden);
    expect(hidden.brought).toEqual(['front']);
    expect(hidden.shownAbove).toEqual([theWindow]);
    const without = createDesk({ isThere: false });
    await show(without);
    expect(without.shownAbove).toEqual([]);
  });

  it('without a window a question is answered as if it was left', async () => {
    expect(await createDesk({ isThere: false }).dialogs.ask(question)).toBe(question.cancel);
  });

  it('an offer is made above a window that is seen, and brings none up', async () => {
    const seen = createDesk();
    expect(await seen.dialogs.offer(question, new AbortController().signal)).toBe(1);
    expect(seen.brought).toEqual([]);

    const hidden = createDesk({ isSeen: false });
    const over = new AbortController();
    const offered = hidden.dialogs.offer(question, over.signal);
    over.abort();
    expect(await offered).toBe(question.cancel);
    expect(hidden.shownAbove).toEqual([]);
    expect(hidden.brought).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { createUnsavedChanges } from '../../../../electron/desktop/quitting/unsaved-changes.ts';

/** A window whose page can be gone and followed by another one. */
function createPages() {
  let life = new AbortController();
  return {
    gone: () => life.signal,
    end: () => life.abort(),
    begin: () => void (life = new AbortController()),
  };
}

describe('unsaved changes of the settings', () => {
  it('are there from when the page says so until it says that they are saved', () => {
    const unsaved = createUnsavedChanges(createPages());
    expect(unsaved.any()).toBe(false);
    unsaved.set(true);
    expect(unsaved.any()).toBe(true);
    unsaved.set(false);
    expect(unsaved.any()).toBe(false);
  });

  it('are gone with a page that crashed or was loaded again, and its successor may have its own', () => {
    const pages = createPages();
    const unsaved = createUnsavedChanges(pages);
    unsaved.set(true);
    pages.end();
    expect(unsaved.any()).toBe(false);
    pages.begin();
    expect(unsaved.any()).toBe(false);
    unsaved.set(true);
    expect(unsaved.any()).toBe(true);
  });
});

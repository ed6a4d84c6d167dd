import { describe, expect, it } from 'vitest';
import {
  KEEP_WORKING,
  quitQuestion,
  whatIsLeft,
  createUnsavedChanges,
} from '../../../../electron/desktop/quitting/quit-question.ts';
import { progressOf, say } from '../../../helpers/desk-tools.ts';

describe('what an end would leave', () => {
  it.each([
    [{}, undefined],
    [{ clips: 3, clipsUploaded: 2, clipsFailed: 1, bytesTotal: 9, bytesUploaded: 9 }, undefined],
    [
      { clips: 3, clipsUploaded: 1, bytesTotal: 30, bytesUploaded: 10, bytesInFlight: 5 },
      { clips: 2, bytes: 15 },
    ],
    // Files that are still being written count too
    [{ settling: 4 }, { clips: 4, bytes: 0 }],
    // Paused ones are not being sent, but are left all the same
    [
      { clips: 2, bytesTotal: 0 },
      { clips: 2, bytes: 0 },
    ],
    // With parts that are sent twice, more bytes can be in flight than the total
    [
      { clips: 1, bytesTotal: 10, bytesInFlight: 12 },
      { clips: 1, bytes: 0 },
    ],
  ])('%j: %j', (progress, left) => {
    expect(whatIsLeft(progressOf(progress))).toEqual(left);
  });

  it('is said with its number and size, and Enter and Escape keep the app working', () => {
    const question = quitQuestion({ left: { clips: 12, bytes: 1_234_000_000 }, losesChanges: false }, say);
    expect(question?.message).toBe('Quit with 12 clips not sent yet?');
    expect(question?.detail).toMatch(
      /^1.2 GB left to send. Nothing is lost: sending continues at the next start./,
    );
    expect(question).toMatchObject({ usual: KEEP_WORKING, cancel: KEEP_WORKING });
    const one = quitQuestion({ left: { clips: 1, bytes: 0 }, losesChanges: false }, say);
    expect(one?.message).toBe('Quit with 1 clip not sent yet?');
  });

  it('is said together with the changes that would be lost, those first', () => {
    const question = quitQuestion({ left: { clips: 2, bytes: 0 }, losesChanges: true }, say);
    expect(question?.message).toBe('Quit with 2 clips not sent yet, and without saving the settings?');
    expect(question?.detail).toMatch(
      /^The changes on the Settings screen are not saved.*\n\nNo clips are lost/,
    );
    expect(question).toMatchObject({ usual: KEEP_WORKING, cancel: KEEP_WORKING });
  });
});

describe('changes that would be lost', () => {
  it('are asked about alone when all is sent', () => {
    const question = quitQuestion({ left: undefined, losesChanges: true }, say);
    expect(question?.message).toBe('Quit without saving the settings?');
    expect(question?.detail).not.toContain('clip');
  });

  it('need no question when there are none', () => {
    expect(quitQuestion({ left: undefined, losesChanges: false }, say)).toBeUndefined();
  });
});

/** A window whose page can disappear and be replaced by another one. */
function createPages() {
  let life = new AbortController();
  return {
    gone: () => life.signal,
    end: () => life.abort(),
    begin: () => void (life = new AbortController()),
  };
}

describe('unsaved changes to the settings', () => {
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

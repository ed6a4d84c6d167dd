/**
 * Functions that run inside the page. Playwright passes each one as text, so it cannot refer to anything outside its
 * own body. This file is type-checked as Node code, without a DOM: the parts of it that are used are declared here.
 */
interface Element {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly textContent: string | null;
  readonly clientHeight: number;
  querySelector(selector: string): Element | null;
}
declare const document: Pick<Element, 'querySelector'>;
declare const requestAnimationFrame: (callback: (at: number) => void) => number;
declare const window: { firstRowsAt?: number; frames?: number[]; stopFrames?: boolean };

/** Runs before the page's own script: records when the first clip was painted, milliseconds after the navigation. */
export function watchFirstRows(): void {
  const look = (): void => {
    const cell = document.querySelector(
      '[role="treegrid"][aria-label="Incidents and clips"] [aria-rowindex="2"] [role="gridcell"]:nth-child(2)',
    );
    if (cell === null || cell.textContent === '') requestAnimationFrame(look);
    // One frame after the clip is in the page, it has been painted
    else requestAnimationFrame(() => (window.firstRowsAt = performance.now()));
  };
  requestAnimationFrame(look);
}

/** Milliseconds from the navigation to the painted first rows; undefined until then. */
export const readFirstRows = (): number | undefined => window.firstRowsAt;

/** Starts recording the time of each frame. */
export function noteFrames(): void {
  const frames: number[] = [];
  window.frames = frames;
  window.stopFrames = false;
  const note = (at: number): void => {
    frames.push(at);
    if (window.stopFrames !== true) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

/** Stops the recording; returns the times of the frames, milliseconds. */
export function takeFrames(): readonly number[] {
  window.stopFrames = true;
  return window.frames ?? [];
}

/** How far the clips are scrolled, pixels; 0 when there are none. */
export const readScroll = (): number =>
  document.querySelector('[role="treegrid"][aria-label="Incidents and clips"]')?.scrollTop ?? 0;

/** How far they can be scrolled, pixels; NaN when there are none. */
export function readScrollRoom(): number {
  const grid = document.querySelector('[role="treegrid"][aria-label="Incidents and clips"]');
  return grid === null ? Number.NaN : grid.scrollHeight - grid.clientHeight;
}

/** Scrolls back to the first clip. */
export function scrollToTop(): void {
  const grid = document.querySelector('[role="treegrid"][aria-label="Incidents and clips"]');
  if (grid !== null) grid.scrollTop = 0;
}

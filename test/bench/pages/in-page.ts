/**
 * What runs inside the page. Playwright carries each function over as text, so that nothing outside its own body can be
 * named in it. This file is checked as Node's, which has no page: what of it is used is declared here.
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

/** Before the page's own script: remembers when the first clip has been painted, milliseconds after the navigation. */
export function watchFirstRows(): void {
  const look = (): void => {
    const cell = document.querySelector(
      '[role="treegrid"][aria-label="Incidents and clips"] [aria-rowindex="2"] [role="gridcell"]:nth-child(2)',
    );
    if (cell === null || cell.textContent === '') requestAnimationFrame(look);
    // The frame after the one that has it in the page: it has been painted then
    else requestAnimationFrame(() => (window.firstRowsAt = performance.now()));
  };
  requestAnimationFrame(look);
}

/** Milliseconds from the navigation to the painted first rows; undefined until then. */
export const readFirstRows = (): number | undefined => window.firstRowsAt;

/** Begins to note the time of each frame. */
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

/** Ends the notes; answers the times of the frames, milliseconds. */
export function takeFrames(): readonly number[] {
  window.stopFrames = true;
  return window.frames ?? [];
}

/** How far the clips are scrolled, pixels; 0 when they are not there. */
export const readScroll = (): number =>
  document.querySelector('[role="treegrid"][aria-label="Incidents and clips"]')?.scrollTop ?? 0;

/** How far they can be scrolled, pixels; 0 when they are not there. */
export function readScrollRoom(): number {
  const grid = document.querySelector('[role="treegrid"][aria-label="Incidents and clips"]');
  return grid === null ? Number.NaN : grid.scrollHeight - grid.clientHeight;
}

/** Back to the first clip. */
export function scrollToTop(): void {
  const grid = document.querySelector('[role="treegrid"][aria-label="Incidents and clips"]');
  if (grid !== null) grid.scrollTop = 0;
}

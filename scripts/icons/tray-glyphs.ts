/** What the tray says about the uploads. */
export const trayStates = ['idle', 'working', 'paused', 'failed'] as const;
export type TrayState = (typeof trayStates)[number];

/** Sizes in pixels by the ending of their file: for usual, somewhat and twice as fine screens. */
export const traySizes: readonly { readonly ending: string; readonly size: number }[] = [
  { ending: '', size: 16 },
  { ending: '@1.5x', size: 24 },
  { ending: '@2x', size: 32 },
];

const TRAY = 'M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3';
/** Drawn on 16 by 16. Told apart by their shape alone: colour says it a second time. */
const shapes: Readonly<Record<TrayState, string>> = {
  idle: stroke(`M8 10V3M5 6l3-3 3 3`) + stroke(TRAY),
  working: fill('M8 1.5 12.5 7H10v3.5H6V7H3.5z') + stroke(TRAY),
  paused: stroke('M6 2.5v7M10 2.5v7', 2) + stroke(TRAY),
  failed: stroke('M8 2v5', 2) + fill('M6.9 9.6a1.1 1.1 0 1 0 2.2 0 1.1 1.1 0 1 0-2.2 0z') + stroke(TRAY),
};

const backgrounds: Readonly<Record<TrayState, string>> = {
  idle: '#1f3852',
  working: '#0b62b5',
  paused: '#5f6368',
  failed: '#b3261e',
};

function stroke(path: string, width = 1.6): string {
  return `<path d="${path}" fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function fill(path: string): string {
  return `<path d="${path}" fill="currentColor"/>`;
}

const picture = (color: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="${color}">${content}</svg>`;

/** For the menu bar of macOS, which colours it: black on nothing. */
export const templateGlyph = (state: TrayState): string => picture('#000', shapes[state]);

/** For Windows and Linux, whose bars may be dark or light: white on a plate of its own. */
export function plateGlyph(state: TrayState): string {
  const plate = `<rect width="16" height="16" rx="3.5" fill="${backgrounds[state]}"/>`;
  return picture('#fff', `${plate}<g transform="translate(1.6 1.6) scale(.8)">${shapes[state]}</g>`);
}

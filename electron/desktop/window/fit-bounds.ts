/** A rectangle on the desktop, in device-independent pixels. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Least size of a window that was kept, pixels: as main-window.ts allows. */
const LEAST_SIZE = { width: 720, height: 480 } as const;
/** Size of the first window. */
const USUAL_SIZE = { width: 1280, height: 800 } as const;
/** Of the title bar so much must be on a screen that it can be grasped, pixels. */
const GRASP = { width: 120, height: 40 } as const;

/**
 * Where the window opens: as it was left, when it can be grasped there on one of the screens' work areas; else in the
 * middle of the first one. Never larger than its screen.
 */
export function fitBounds(left: Bounds | undefined, areas: readonly Bounds[]): Bounds {
  const [first = { x: 0, y: 0, ...USUAL_SIZE }] = areas;
  const home = left && areas.find((area) => isGraspable(left, area));
  if (left === undefined || home === undefined) return centred(first);
  const width = Math.min(Math.max(left.width, LEAST_SIZE.width), home.width);
  const height = Math.min(Math.max(left.height, LEAST_SIZE.height), home.height);
  return { x: left.x, y: Math.max(left.y, home.y), width, height };
}

function isGraspable({ x, y, width }: Bounds, area: Bounds): boolean {
  const shownWidth = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return shownWidth >= GRASP.width && y >= area.y - GRASP.height && y + GRASP.height <= area.y + area.height;
}

function centred(area: Bounds): Bounds {
  const width = Math.min(USUAL_SIZE.width, area.width);
  const height = Math.min(USUAL_SIZE.height, area.height);
  return {
    x: area.x + Math.round((area.width - width) / 2),
    y: area.y + Math.round((area.height - height) / 2),
    width,
    height,
  };
}

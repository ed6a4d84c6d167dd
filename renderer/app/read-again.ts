/** Between two readings of the same, milliseconds: the agent tells of each change, four times a second. */
export const READ_AGAIN_MS = 1000;

/** Collects what changed into few readings. */
export interface ReadAgain<Subject> {
  readonly changed: (subject: Subject) => void;
  /** The page is in sight again: what waited for that is read now. */
  readonly shown: () => void;
  readonly stop: () => void;
}

/**
 * Makes the collector: the first change is read at once, later ones together once a second, and nothing while nobody
 * sees the page.
 */
export function createReadAgain<Subject>(
  read: (subjects: ReadonlySet<Subject>) => void,
  isHidden: () => boolean,
): ReadAgain<Subject> {
  const waiting = new Set<Subject>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function readWaiting(): void {
    if (waiting.size === 0 || isHidden()) return;
    const subjects = new Set(waiting);
    waiting.clear();
    timer = setTimeout(() => {
      timer = undefined;
      readWaiting();
    }, READ_AGAIN_MS);
    read(subjects);
  }

  function readNow(): void {
    if (timer === undefined) readWaiting();
  }

  return {
    changed(subject) {
      waiting.add(subject);
      readNow();
    },
    shown: readNow,
    stop: () => clearTimeout(timer),
  };
}

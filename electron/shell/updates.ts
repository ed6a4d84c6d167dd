import type { Failure } from '../../shared/domain/failure.ts';
import type { UpdateState } from '../../shared/ipc/desktop.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Clock, Logger } from '../agent/index.ts';
import type { QuitProtocol } from './quit-app.ts';
import type { UpdateRules } from './update-rules.ts';
import { verifyManifest, verifyUpdateFile, type SignedRelease } from './verify-update.ts';

/** Time after the start until the first look, milliseconds: the start belongs to the uploads. */
const FIRST_LOOK_MS = 60_000;
/** Time between looks, milliseconds (6 h), and up to a quarter more: desks that start together do not ask together. */
const LOOK_MS = 6 * 3_600_000;

/** What loads and installs; nothing is loaded before it is asked to. Each rejects with what went wrong. */
export interface Updater {
  /** The version that the feed offers, undefined when it offers none that is newer. */
  look(): Promise<string | undefined>;
  /** The signed list of the newest release. */
  manifest(): Promise<string>;
  /** Loads what was offered; answers its path, absolute. */
  load(): Promise<string>;
  /** Starts the installer and ends the app, which comes back by itself if it is to. */
  install(comesBack: boolean): void;
}

interface Parts {
  readonly rules: UpdateRules;
  /** Asked once, when there is something to look for. */
  readonly openUpdater: (rules: UpdateRules & { kind: 'on' }) => Promise<Updater>;
  readonly installedVersion: string;
  /** What is ready is installed when a person quits: true where the installer needs no more than that. */
  readonly installsAtQuit: boolean;
  readonly quit: Pick<QuitProtocol, 'quit'>;
  readonly onState: (state: UpdateState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Updates of the app. */
export interface Updates {
  state(): UpdateState;
  /** Looks now; joins a look that is under way. Never rejects. */
  check(): Promise<UpdateState>;
  /**
   * Ends the app by its protocol, which asks while clips are left, and installs. Resolves at once with the failure, or
   * when a person chose to keep working. Errors: NOT_FOUND when nothing is ready, CALL_FAULT when it was changed since.
   */
  install(): Promise<Result<void, Failure>>;
  /** What is to be done when a person quits: the installer of what is ready, checked once more. */
  lastStep(): Promise<(() => void) | undefined>;
  /** Looks by itself from now on. */
  start(): void;
  stop(): void;
}

interface Ready {
  readonly updater: Updater;
  readonly release: SignedRelease;
  readonly file: string;
}

/** Makes it. Nothing counts as ready before signature, version, size and content were checked. */
export function createUpdates(parts: Parts): Updates {
  const { rules, installedVersion, quit, onState, clock, logger } = parts;
  const stopping = new AbortController();
  let state: UpdateState = rules.kind === 'off' ? rules : { kind: 'current' };
  let opening: Promise<Updater> | undefined;
  let looking: Promise<void> | undefined;
  let ready: Ready | undefined;

  function enter(next: UpdateState): void {
    state = next;
    onState(next);
  }

  async function look(on: UpdateRules & { kind: 'on' }): Promise<void> {
    const updater = await (opening ??= parts.openUpdater(on));
    const offered = await updater.look();
    if (offered === undefined)
      return enter({ kind: 'current', checkedAt: new Date(clock.now()).toISOString() });
    if (ready?.release.version === offered) return;
    const release = verifyManifest(await updater.manifest(), { publicKey: on.publicKey, installedVersion });
    if (!release.ok) return refuse(release.error);
    if (release.value.version !== offered)
      return refuse('The update is another version than its signed list.');
    enter({ kind: 'loading', version: offered });
    const file = await updater.load();
    const checked = await verifyUpdateFile(file, release.value);
    if (!checked.ok) return refuse(checked.error);
    ready = { updater, release: release.value, file };
    logger.info('An update is loaded and checked', { version: offered });
    enter({ kind: 'ready', version: offered });
  }

  function refuse(reason: string): void {
    ready = undefined;
    logger.error('An update was refused', { reason });
    enter({ kind: 'failed', reason });
  }

  async function lookSafely(): Promise<void> {
    if (rules.kind === 'off') return;
    try {
      await look(rules);
    } catch (error) {
      logger.warn('The look for an update failed', { error });
      // What was checked before stays ready
      if (ready === undefined)
        enter({ kind: 'failed', reason: 'The updates could not be reached. It is tried again by itself.' });
    }
  }

  async function check(): Promise<UpdateState> {
    looking ??= lookSafely().finally(() => {
      looking = undefined;
    });
    await looking;
    return state;
  }

  async function lookOn(): Promise<void> {
    await clock.sleep(FIRST_LOOK_MS, stopping.signal);
    while (!stopping.signal.aborted) {
      await check();
      await clock.sleep(LOOK_MS * (1 + clock.random() / 4), stopping.signal);
    }
  }

  /** It lay on the disk since it was checked. */
  async function checkAgain({ file, release }: Ready): Promise<boolean> {
    const checked = await verifyUpdateFile(file, release).catch(() => err(''));
    if (!checked.ok) refuse('The loaded update was changed or deleted since it was checked.');
    return checked.ok;
  }

  return {
    state: () => state,
    check,
    async install() {
      const installing = ready;
      if (installing === undefined) return err(nothingReady);
      if (!(await checkAgain(installing))) return err(changedSince);
      await quit.quit('person', () => installing.updater.install(true));
      return ok(undefined);
    },
    async lastStep() {
      const installing = ready;
      if (!parts.installsAtQuit || installing === undefined || !(await checkAgain(installing)))
        return undefined;
      return () => installing.updater.install(false);
    },
    start() {
      // The sleep ends with the app
      if (rules.kind === 'on') lookOn().catch(() => undefined);
    },
    stop: () => stopping.abort(),
  };
}

const nothingReady: Failure = {
  code: 'NOT_FOUND',
  message: 'There is no update that could be installed.',
  advice: 'Look for updates first.',
  retryable: false,
};

const changedSince: Failure = {
  code: 'CALL_FAULT',
  message: 'The loaded update was changed or deleted since it was checked; it was not installed.',
  advice: 'Look for updates again.',
  retryable: true,
};

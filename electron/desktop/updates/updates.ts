import { rm } from 'node:fs/promises';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { UpdateState } from '../../../shared/ipc/desktop.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Clock, Logger } from '../../agent/index.ts';
import type { LastStep, QuitProtocol } from '../quitting/quit-app.ts';
import {
  describeUpdateFault,
  type UpdateRules,
  isInShare,
  verifyManifest,
  verifyUpdateFile,
  type SignedRelease,
} from './verify-update.ts';

/** Time from the start to the first check, milliseconds: uploads come first. */
const FIRST_LOOK_MS = 60_000;
/** Time between checks, milliseconds (6 h), plus up to a quarter: desks that start together must not check together. */
const LOOK_MS = 6 * 3_600_000;

/** How long the feed may be silent, milliseconds: the updater's own time-outs have no effect in Electron. */
const SILENCE_MS = 120_000;

/** A downloaded and verified update. */
export interface CheckedUpdate {
  /** Absolute path. */
  readonly file: string;
  readonly release: SignedRelease;
}

/** Downloads and installs; downloads nothing before it is asked to. Each rejects with what went wrong. */
export interface Updater {
  /** The version that the feed offers; undefined when none is newer. */
  look(): Promise<string | undefined>;
  /** The signed manifest of the newest release. */
  manifest(): Promise<string>;
  /** Downloads the offered version; returns its path, absolute. Calls `heard` whenever data arrives. */
  load(heard: () => void): Promise<string>;
  /** Aborts what is in progress, which then rejects. */
  giveUp(): Promise<void>;
  /** Installs and ends the app, which restarts if `comesBack`. If it rejects, nothing was installed. */
  install(update: CheckedUpdate, comesBack: boolean): Promise<void>;
}

interface Deps {
  readonly rules: UpdateRules;
  /** Called once, at the first check. */
  readonly openUpdater: (rules: UpdateRules & { kind: 'on' }) => Promise<Updater>;
  readonly installedVersion: string;
  /** The ID of this desk, by which a release is held back. */
  readonly deskId: () => Promise<string>;
  /** A ready update is installed when a person quits: true where the installer needs nothing else. */
  readonly installsAtQuit: boolean;
  readonly quit: Pick<QuitProtocol, 'quit'>;
  readonly onState: (state: UpdateState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Updates of the app. */
export interface Updates {
  state(): UpdateState;
  /** Checks now, or joins a check in progress. Never rejects. */
  check(): Promise<UpdateState>;
  /**
   * Quits the app, which asks while clips are unsent, and installs. Resolves immediately with the failure, or when a
   * person chose to keep working. Errors: NOT_FOUND when nothing is ready, CALL_FAULT when the update was changed
   * since.
   */
  install(): Promise<Result<void, Failure>>;
  /** The last step when a person quits: verifies the ready update once more and installs it. */
  lastStep(): LastStep | undefined;
  /** Checks automatically from now on. */
  start(): void;
  stop(): void;
}

/** Follows each reason for a refusal. */
const NOT_INSTALLED = 'It was not installed. If this happens again, ask whoever manages this PC.';

interface Ready extends CheckedUpdate {
  readonly updater: Updater;
}

/** Creates the updates. Nothing is ready before signature, version, size and content have been verified. */
export function createUpdates(deps: Deps): Updates {
  const { rules, installedVersion, quit, onState, clock, logger } = deps;
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
    const updater = await (opening ??= deps.openUpdater(on));
    const { giveUp } = updater;
    const ask = <T>(work: (heard: () => void) => Promise<T>): Promise<T> =>
      failWhenSilent({ clock, silenceMs: SILENCE_MS, giveUp, work });
    const offered = await ask(() => updater.look());
    if (offered === undefined) {
      // The feed withdrew what was ready
      ready = undefined;
      return enter({ kind: 'current', checkedAt: new Date(clock.now()).toISOString() });
    }
    if (ready?.release.version === offered) return;
    const trust = { publicKey: on.publicKey, installedVersion };
    const release = verifyManifest(await ask(() => updater.manifest()), trust);
    if (!release.ok) return refuse(release.error);
    if (release.value.version !== offered)
      return refuse('The version of the update does not match its signed manifest.');
    const { version, share = 100 } = release.value;
    if (share < 100 && !isInShare(release.value, await deps.deskId())) {
      ready = undefined;
      return enter({ kind: 'held', version, share });
    }
    // The updater deletes its previous download
    ready = undefined;
    enter({ kind: 'loading', version });
    const file = await ask((heard) => updater.load(heard));
    await take({ updater, release: release.value, file });
  }

  async function take(loaded: Ready): Promise<void> {
    const { file, release } = loaded;
    const checked = await verifyUpdateFile(file, release);
    if (!checked.ok) return refuse(checked.error, file);
    ready = loaded;
    logger.info('An update was downloaded and verified', { version: release.version });
    enter({ kind: 'ready', version: release.version });
  }

  /** Deletes a refused file: at the next check the updater would treat it as downloaded. */
  async function refuse(reason: string, file?: string): Promise<void> {
    ready = undefined;
    logger.error('An update was refused', { reason });
    enter({ kind: 'failed', reason: `${reason} ${NOT_INSTALLED}` });
    if (file !== undefined) await rm(file, { force: true });
  }

  async function lookSafely(): Promise<void> {
    if (rules.kind === 'off') return;
    try {
      await look(rules);
    } catch (error) {
      logger.warn('The check for updates failed', { error });
      // An update that was verified before stays ready
      if (ready === undefined) enter({ kind: 'failed', reason: describeUpdateFault(error) });
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

  /** Verifies the file again, since it may have changed on disk. */
  async function checkAgain({ file, release }: Ready): Promise<boolean> {
    const checked = await verifyUpdateFile(file, release).catch(() => err(''));
    if (!checked.ok)
      await refuse('The downloaded update was changed or deleted after it was verified.', file);
    return checked.ok;
  }

  /** Runs when everything has stopped. A question may have delayed that for long, so it verifies the file again. */
  async function installNow(installing: Ready, comesBack: boolean): Promise<void> {
    if (ready !== installing || !(await checkAgain(installing)))
      throw new Error('The update is no longer ready');
    await installing.updater.install(installing, comesBack);
  }

  return {
    state: () => state,
    check,
    async install() {
      const installing = ready;
      if (installing === undefined)
        return err(rules.kind === 'off' ? { ...nothingReady, advice: rules.reason } : nothingReady);
      if (!(await checkAgain(installing))) return err(changedSince);
      await quit.quit('person', () => installNow(installing, true));
      return ok(undefined);
    },
    lastStep() {
      const installing = ready;
      if (!deps.installsAtQuit || installing === undefined) return undefined;
      return () => installNow(installing, false);
    },
    start() {
      // The sleep rejects when the app stops
      if (rules.kind === 'on') lookOn().catch(() => undefined);
    },
    stop: () => stopping.abort(),
  };
}

const nothingReady: Failure = {
  code: 'NOT_FOUND',
  message: 'There is no update to install.',
  advice: 'Check for updates first.',
  retryable: false,
};

const changedSince: Failure = {
  code: 'CALL_FAULT',
  message: 'The downloaded update was changed or deleted after it was verified, so it was not installed.',
  advice: 'Check for updates again.',
  retryable: true,
};

interface Watched<T> {
  readonly clock: Clock;
  /** Longest allowed silence, milliseconds. */
  readonly silenceMs: number;
  /** Aborts the work; its own rejection is ignored. */
  readonly giveUp: () => Promise<void>;
  /** The work to wait for; calls `heard` with each sign of life. */
  readonly work: (heard: () => void) => Promise<T>;
}

/** Returns the result of `work`. Aborts it and rejects when it is silent for `silenceMs`. */
async function failWhenSilent<T>({ clock, silenceMs, giveUp, work }: Watched<T>): Promise<T> {
  const done = new AbortController();
  let heardAt = clock.monotonic();
  async function silence(): Promise<never> {
    for (;;) {
      const leftMs = heardAt + silenceMs - clock.monotonic();
      if (leftMs <= 0) break;
      await clock.sleep(leftMs, done.signal);
    }
    await giveUp().catch(() => undefined);
    throw new Error(`No response for ${silenceMs} ms`);
  }
  const working = work(() => {
    heardAt = clock.monotonic();
  });
  try {
    return await Promise.race([working, silence()]);
  } finally {
    done.abort();
  }
}

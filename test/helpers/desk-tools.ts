import { createNativeWords } from '../../shared/words/native-words.ts';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { noProgress, type Logger, type Progress } from '../../electron/agent/index.ts';
import type { NativeDialogs, Question } from '../../electron/desktop/window/native-dialogs.ts';
import { healthSchema, type Health } from '../../shared/domain/health.ts';
import type { DesktopEvent } from '../../shared/ipc/desktop.ts';

/** A folder of the test's own, removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'desktop-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A logger that keeps its messages, each prefixed with its level. */
export function collectLog() {
  const lines: string[] = [];
  const at = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { logger, lines };
}

/** A window that records what is done to it and the events sent to its page. */
export function createSeenWindow() {
  const seen: (string | DesktopEvent)[] = [];
  let isFocused = false;
  return {
    seen,
    focus(focused: boolean) {
      isFocused = focused;
    },
    window: {
      bringToFront: () => void seen.push('front'),
      hide: () => void seen.push('hide'),
      isFocused: () => isFocused,
      tell: (event: DesktopEvent) => void seen.push(event),
    },
  };
}

/** Dialogs that answer from a script; a question without an answer stays open until its signal ends it. */
export function createScriptedDialogs(answers: readonly number[] = []) {
  const asked: Question[] = [];
  const left = [...answers];
  const ask: NativeDialogs['ask'] = (question, signal) => {
    asked.push(question);
    const answer = left.shift();
    if (answer !== undefined) return Promise.resolve(answer);
    return new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve(question.cancel), { once: true });
    });
  };
  return { asked, ask, offer: ask };
}

/** The health of an idle desk, with the test's changes. */
export function healthOf(
  change: { readonly queue?: Partial<Health['queue']> } & Partial<Omit<Health, 'queue'>> = {},
): Health {
  const queue = {
    incidents: 0,
    unsynced: 0,
    refused: 0,
    waiting: 0,
    uploaded: 0,
    failed: 0,
    waitingBytes: 0,
    databaseBytes: 0,
    ...change.queue,
  };
  return healthSchema.parse({
    versions: { agent: '1.0.0', node: '24', sqlite: '3' },
    startedAt: '2026-05-01T19:40:00.000Z',
    isPaused: false,
    pausedCircuits: [],
    proof: { problems: [] },
    findings: [],
    clockSkewMs: 0,
    answers: {},
    exports: {
      held: 0,
      missing: 0,
      onHold: 0,
      ignored: 0,
      unrecognised: 0,
      reading: 0,
      writing: 0,
      settling: 0,
      copy: 0,
    },
    roots: [],
    ...change,
    queue,
  });
}

/** Progress of an empty queue, with the test's changes. */
export function progressOf(change: Partial<Progress> = {}): Progress {
  return {
    ...noProgress,
    ...change,
  };
}

export const { say } = createNativeWords();

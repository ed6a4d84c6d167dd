import { createEventBook, type EventBook } from './event-book.ts';
import { readBack, type Evidence } from './evidence.ts';
import { startLiveView, type LiveView } from './live-view.ts';
import { startAgent, type AgentRun } from './run-agent.ts';
import { samplePath } from './sample-types.ts';
import { playScenes, type Scenes } from './scenes.ts';
import type { Screen } from './screen.ts';
import type { Stage } from './stage.ts';

/** An agent at work on the samples. */
export interface Play {
  readonly agent: AgentRun;
  readonly book: EventBook;
  readonly view: LiveView;
  /** The evidence so far. Pass `exit` only when the agent has ended. */
  evidence(exit?: number | string): Promise<Evidence>;
  /** Stops writers, agent and view, in this order, and waits for them. */
  stop(): Promise<void>;
}

/** Starts the growing clips, then the agent, and shows its events. */
export async function startPlay(
  { workspace, simulator, samples, made }: Stage,
  screen: Screen,
  once: boolean,
  consolePort: number | undefined,
): Promise<Play> {
  const book = createEventBook();
  const notes: string[] = [];
  const ending = new AbortController();
  const view = startLiveView(screen, { requests: simulator.requests, ...goalOf({ samples, made }) });
  const scenes: Scenes = playScenes(made, book, view.scene, ending.signal);
  await scenes.begun;
  const agent = startAgent({
    configFile: workspace.configFile,
    dataDir: workspace.dataDir,
    once,
    consolePort,
    onEvent(event) {
      view.event(event);
      book.add(event);
    },
    onNote(text) {
      view.note(text);
      notes.push(text);
    },
  });
  return {
    agent,
    book,
    view,
    async evidence(exit) {
      const { sources } = made;
      const { wholeSince } = scenes;
      return { ...(await readBack(simulator)), sources, wholeSince, events: book.events, notes, exit };
    },
    async stop() {
      ending.abort(new Error('The demo ends'));
      await agent.stop();
      await scenes.ended.catch(() => undefined);
      view.end();
    },
  };
}

/** The expected totals: thumbnails count as bytes, not as clips; clips that must fail send nothing. */
function goalOf({ samples, made }: Pick<Stage, 'samples' | 'made'>): {
  readonly clips: number;
  readonly bytes: number;
} {
  const clips = samples.flatMap(({ folder, clips: own }) => own.map((clip) => ({ folder, clip })));
  const names = clips.flatMap(({ folder, clip: { file, image, expected } }) => [
    ...(expected.failsWith === undefined ? [samplePath(folder, file)] : []),
    ...(image === undefined ? [] : [samplePath(folder, image.file)]),
  ]);
  const bytes = names.reduce((sum, name) => sum + (made.sources.get(name)?.sizeBytes ?? 0), 0);
  return { clips: clips.length, bytes };
}

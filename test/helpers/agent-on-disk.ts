import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createAgent } from '../../electron/agent/index.ts';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { createBenchClock } from './bench-clock.ts';

/**
 * An agent in a process of its own, whose disk can be made to fail. The first argument is JSON with settings, data
 * folder and key; events go to standard output, one per line. The last one is `ended`, with the reason why the agent
 * ended itself, or `idle`.
 */
const { settings, dataDir, apiKey } = JSON.parse(process.argv[2] ?? '{}');
const silent = (): void => undefined;
// Exceeding a file size limit raises this signal in addition to the write error
process.on('SIGXFSZ', silent);
const agent = createAgent(
  { settings: settingsSchema.parse(settings), dataDir, version: '0.0.0' },
  {
    clock: createBenchClock(),
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    secrets: { apiKey: async () => apiKey },
  },
);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
agent.events.on(say);
try {
  await agent.start();
  // The same loop serves windows and sockets
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const idle = agent.untilIdle().then(() => undefined);
  const failure = await Promise.race([agent.ended, idle]);
  say({ event: 'loop', longestMs: Math.round(loop.max / 1e6) });
  say(failure === undefined ? { event: 'idle' } : { event: 'ended', failure });
} catch (error) {
  say({ event: 'refused', error: String(error) });
}
process.exit();

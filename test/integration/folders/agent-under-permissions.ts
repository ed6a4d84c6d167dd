import { createAgent } from '../../../electron/agent/index.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { createBenchClock } from '../../helpers/bench-clock.ts';

/**
 * An agent in a process of its own, so that file permissions apply to it. The first argument is JSON with settings,
 * data directory and key; events go to standard output, one per line. Ends when everything has settled.
 */
const { settings, dataDir, apiKey } = JSON.parse(process.argv[2] ?? '{}');
const silent = (): void => undefined;
const agent = createAgent(
  { settings: settingsSchema.parse(settings), dataDir, version: '0.0.0' },
  {
    clock: createBenchClock(),
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    secrets: { apiKey: async () => apiKey },
  },
);
agent.events.on((event) => process.stdout.write(`${JSON.stringify(event)}\n`));
await agent.start();
await agent.untilIdle();
process.exit();

import { readArguments, USAGE } from './arguments.ts';
import { startSimulator } from './start-simulator.ts';

/** Exit code for wrong usage, the same as the agent's command line uses. */
const EXIT_USAGE = 2;

const parsed = readArguments(process.argv.slice(2));
if (!parsed.ok) {
  console.error(`${parsed.error}\n\n${USAGE}`);
  process.exit(EXIT_USAGE);
}
const { options, isJson } = parsed.value;
const simulator = await startSimulator(options);
const { baseUrl, storageUrl, controlUrl, apiKey, folder } = simulator;
console.log(
  isJson
    ? JSON.stringify({ baseUrl, storageUrl, controlUrl, apiKey, folder })
    : `Simulated service at ${baseUrl}, storage at ${storageUrl}, control at ${controlUrl ?? '(off)'}, key ${apiKey}`,
);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
}

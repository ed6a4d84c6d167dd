import { installSwift } from '../test/contract/swift/install-swift.ts';
import { startSwift } from '../test/contract/swift/start-swift.ts';
import { SWIFT_KEY, SWIFT_SECRET } from '../test/contract/swift/swift-config.ts';
import { programStep, runStep } from './run-step.ts';

/** Time limit: the suite takes about five seconds, but a machine may be busy. */
const SUITE_LIMIT_MS = 180_000;

/** Exit code when there is no store to test. */
const NO_STORE = 3;

const installed = await installSwift();
if (!installed.ok) {
  console.error(installed.error);
  process.exit(NO_STORE);
}
const swift = await startSwift();
const stopAndLeave = (): void => void swift.stop().finally(() => process.exit(1));
process.once('SIGINT', stopAndLeave).once('SIGTERM', stopAndLeave);
console.log(`OpenStack Swift serves S3 at ${swift.endpoint}.`);
const contract = 'test/contract/s3-storage.test.ts';
const suite = programStep('storage contract on Swift', 'vitest', 'run', contract, ...process.argv.slice(2));
const environment = {
  S3_ENDPOINT: swift.endpoint,
  S3_KEY: SWIFT_KEY,
  S3_SECRET: SWIFT_SECRET,
  S3_KIND: 'swift',
};
const end = await runStep({ ...suite, environment }, { quiet: false, limitMs: SUITE_LIMIT_MS });
await swift.stop();
process.exit(end.ok ? 0 : 1);

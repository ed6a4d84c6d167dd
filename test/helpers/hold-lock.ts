import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { takeInstanceLock } from '../../electron/agent/store/instance-lock.ts';

/** Locks the data directory given as the first argument, prints the result, and lives until it is killed. */
const clock = { ...createSystemClock(), now: () => Date.UTC(2026, 0, 1) };
const taken = await takeInstanceLock(process.argv[2] ?? '', clock);
process.stdout.write(`${taken.ok ? 'taken' : taken.error.code}\n`);
// The interval also keeps the lock's handle referenced.
setInterval(() => taken, 60_000);

import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { createRootGate } from '../../electron/agent/files/root-gate.ts';
import type { InspectedExport } from '../../electron/agent/files/inspect-export.ts';
import { scanRoot } from '../../electron/agent/watch/scan-root.ts';

/** Scans the root given as the first argument and prints the result. */
const rootPath = process.argv[2] ?? '';
const gate = createRootGate({ clock: createSystemClock(), rootPath });
const looks: InspectedExport[] = [];
const answer = await scanRoot({
  gate,
  rootId: 'root-1',
  rootPath,
  memory: { identity: undefined, exports: new Map() },
  now: Date.now,
  onExport: async (one) => {
    if (one.kind === 'seen') looks.push(one.seen);
  },
});
gate.close();
process.stdout.write(JSON.stringify({ code: answer.ok ? 'ok' : answer.error.code, looks }));

import { spawn } from 'node:child_process';

console.error(
  'The desktop app is not part of this version yet; this is the headless agent, as `npm run agent` starts it.',
);

const args = process.argv.slice(2);
const agent = spawn(process.execPath, ['electron/headless.ts', ...(args.length === 0 ? ['--help'] : args)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => agent.kill(signal));
agent.on('exit', (code) => process.exit(code ?? 1));

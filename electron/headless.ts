#!/usr/bin/env -S node --disable-sigusr1 --use-system-ca --max-semi-space-size=2
import packageFacts from '../package.json' with { type: 'json' };

/** The headless program: the agent under plain Node, controlled from the command line. */
export async function main(args: readonly string[]): Promise<void> {
  // If it is started without the flag above, any account on the PC could attach a debugger and read the key
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
  // Scripts and updaters often ask for the version, so nothing is loaded for it
  if (args.length === 1 && args[0] === '--version')
    return void process.stdout.write(`${packageFacts.version}\n`);
  const { runProgram } = await import('./headless-program.ts');
  await runProgram(args);
}

if (import.meta.main) await main(process.argv.slice(2));

import { spawn } from 'node:child_process';

/** Starts the program in the arguments once the process at the other end of the input is gone. */
const [program = '', ...args] = process.argv.slice(2);
process.stdin.on('end', () => spawn(program, args, { detached: true, stdio: 'ignore' }).unref());
process.stdin.resume();

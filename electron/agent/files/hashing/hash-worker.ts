import { parentPort } from 'node:worker_threads';
import { letMainThreadGoFirst } from '../thread-priority.ts';
import { createHashEngine, type HashRequest } from './hash-engine.ts';

/** Entry point of the thread: steps while there is work, and lets messages in between two steps. */
function main(): void {
  const port = parentPort;
  if (port === null) throw new Error('hash-worker must run as a worker thread');
  letMainThreadGoFirst();
  const engine = createHashEngine((answer) => port.postMessage(answer));
  let isWorking = false;
  const work = (): void => {
    isWorking = engine.step();
    if (isWorking) setImmediate(work);
  };
  port.on('message', (request: HashRequest) => {
    engine.take(request);
    if (isWorking) return;
    isWorking = true;
    setImmediate(work);
  });
}

main();

import { createServer, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const ANSWER = Buffer.from(
  'HTTP/1.1 200 OK\r\nETag: "d41d8cd98f00b204e9800998ecf8427e"\r\nContent-Length: 0\r\n\r\n',
);

/** Answers every request after reading its body, and keeps nothing, so that only the client is measured. */
function discard(socket: Socket): void {
  let leftBytes = 0;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (leftBytes === 0) {
        const end = chunk.indexOf(HEAD_END, at);
        if (end < 0) return void socket.destroy();
        leftBytes = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', at, end))?.[1] ?? 0);
        at = end + HEAD_END.length;
      }
      const taken = Math.min(leftBytes, chunk.length - at);
      leftBytes -= taken;
      at += taken;
      if (leftBytes === 0) socket.write(ANSWER);
    }
  });
}

const server = createServer(discard);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));

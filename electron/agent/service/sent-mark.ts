import type { ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Watches whether a request can have left this machine: before its connection stood, nothing was sent. Answers the
 * question at any later time.
 */
export function watchSending(stream: Duplex, isSecure: boolean): () => boolean {
  let wasConnected = false;
  stream.on('request', (request: ClientRequest) => {
    request.once('socket', (socket) => {
      // A kept connection stands already; a listener on it would stay for as long as it lives
      if (!socket.connecting) wasConnected = true;
      else
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          wasConnected = true;
        });
    });
  });
  return () => wasConnected;
}

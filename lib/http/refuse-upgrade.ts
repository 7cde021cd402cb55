import type { Socket } from 'node:net';
import { SECURITY_HEADERS } from './respond';

/** So long a client that does not close its side has for the answer. */
const ENDS_MS = 1_000;

/**
 * No address of Colonnade speaks another protocol. Next answers some of these, and leaves the sockets of the others
 * open for ever: by then no time limit of the server counts for them.
 */
export function refuseUpgrade(socket: Socket): void {
  const text = JSON.stringify({
    error: { code: 'bad_request', message: 'This server upgrades no connection. Send the request without `Upgrade`.' },
  });
  const head = ['HTTP/1.1 400 Bad Request', 'content-type: application/json; charset=utf-8', 'connection: close'];
  const closing = Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(text)}`;
  socket.on('error', () => {});
  // What is still sent is read and dropped: closed over unread bytes, the answer might not arrive.
  socket.resume();
  socket.end(`${[...head, ...closing, length].join('\r\n')}\r\n\r\n${text}`);
  setTimeout(() => socket.destroy(), ENDS_MS).unref();
}

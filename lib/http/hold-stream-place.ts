import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressGroup } from '@/lib/auth/address-group';
import { STALL_MS, takeStreamPlace } from './open-streams';

const STREAM = /^\/api\/(?:[^?]+\/)?events\/?$/;
const WATCH_MS = 1000;

/**
 * An event stream needs a place, counted by `address`, which is free again when its answer or its socket has ended. A
 * reader that takes nothing is cut off: what waits behind a full socket is ended by nobody else. Errors: `busy`.
 */
export function holdStreamPlace(
  { method, socket }: IncomingMessage,
  response: ServerResponse,
  path: string,
  address: string,
  stallMs = STALL_MS,
): void {
  if ((method !== 'GET' && method !== 'HEAD') || !STREAM.test(path)) return;
  const over = () => response.writableFinished || response.destroyed || socket.destroyed;
  takeStreamPlace(addressGroup(address), socket, over);
  let waitsSince: number | null = null;
  let closed = false;
  response.once('close', () => {
    closed = true;
  });
  response.on('drain', () => {
    waitsSince = null;
  });
  const watch = setInterval(
    () => {
      if (over()) {
        clearInterval(watch);
        // An answer that waits behind another on the same socket does not learn that the socket has gone.
        if (!closed) response.emit('close');
      } else if (!response.writableNeedDrain) waitsSince = null;
      else {
        waitsSince ??= performance.now();
        if (performance.now() - waitsSince >= stallMs) socket.destroy();
      }
    },
    Math.min(WATCH_MS, stallMs / 6),
  );
  watch.unref();
}

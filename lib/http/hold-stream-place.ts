import type { IncomingMessage, ServerResponse } from 'node:http';
import { toAddressGroup } from '@/lib/access/auth/address-group';
import { STALL_MS, takeStreamPlace } from './open-streams';

/** How often a stream is checked, in ms. */
const CHECK_EVERY_MS = 1000;

/**
 * Takes a place for an event stream, counted by `address`, until its answer or its socket has ended. A client that
 * reads nothing for `stallMs` is disconnected, because nothing else ends an answer that waits for a full socket.
 * Errors: `busy`.
 */
export function holdStreamPlace(
  { socket }: IncomingMessage,
  response: ServerResponse,
  address: string,
  stallMs = STALL_MS,
): void {
  const isOver = () => response.writableFinished || response.destroyed || socket.destroyed;
  takeStreamPlace(toAddressGroup(address), socket, isOver);
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
      if (isOver()) {
        clearInterval(watch);
        // An answer that waits for another one on the same socket is not notified when the socket closes.
        if (!closed) response.emit('close');
      } else if (!response.writableNeedDrain) waitsSince = null;
      else {
        waitsSince ??= performance.now();
        if (performance.now() - waitsSince >= stallMs) socket.destroy();
      }
    },
    Math.min(CHECK_EVERY_MS, stallMs / 6),
  );
  watch.unref();
}

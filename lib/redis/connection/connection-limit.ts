import type { Socket } from 'node:net';
import { AppError } from '@/lib/model/errors';
import { getProcessWide } from '@/lib/runtime/process-wide';

/**
 * The number of connections that this process may hold to one address, over all sessions: a page that is reloaded again
 * and again, or clients that send requests and disconnect, must not use up the server's `maxclients`. The count is on
 * globalThis, because pages and the engine are separate module graphs in one process. When all connections are taken, a
 * caller waits for one within its own time limit.
 */
export const MAX_CONNECTIONS_PER_NODE = 48;

interface Place {
  open: number;
  waiting: Set<() => void>;
}

/**
 * Takes one of the connections to `host:port` and returns the function that releases it. Throws `too_many_connections`
 * after `timeoutMs` milliseconds.
 */
export async function takeConnection(
  host: string,
  port: number,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<() => void> {
  const places = getProcessWide('connections', () => new Map<string, Place>());
  const address = `${host}:${port}`;
  const place = places.get(address) ?? { open: 0, waiting: new Set() };
  places.set(address, place);
  if (place.open >= MAX_CONNECTIONS_PER_NODE) await awaitTurn(place, address, timeoutMs, signal);
  else place.open++;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    // Pass it on without counting it as free in between; otherwise a new caller would overtake those that wait.
    const [next] = place.waiting;
    if (next) next();
    else if (--place.open === 0) places.delete(address);
  };
}

function awaitTurn(place: Place, address: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      clearTimeout(timer);
      place.waiting.delete(take);
      signal?.removeEventListener('abort', refuse);
      act();
    };
    const take = () => end(resolve);
    const [host, port] = [
      address.slice(0, address.lastIndexOf(':')),
      Number(address.slice(address.lastIndexOf(':') + 1)),
    ];
    const refuse = () =>
      end(() =>
        reject(
          new AppError(
            'too_many_connections',
            `${MAX_CONNECTIONS_PER_NODE} connections to ${address} are open already. Try again when running jobs or pages have finished.`,
            { host, port, limit: MAX_CONNECTIONS_PER_NODE },
          ),
        ),
      );
    const timer = setTimeout(refuse, Math.max(1, timeoutMs));
    signal?.addEventListener('abort', refuse, { once: true });
    place.waiting.add(take);
    if (signal?.aborted) refuse();
  });
}

/** Releases the connection when the socket has closed, by either side. */
export function releaseOnClose(socket: Socket, giveBack: () => void): Socket {
  socket.once('close', giveBack);
  return socket;
}

import { AppError } from '@/lib/model/errors';
import { getProcessWide } from '@/lib/runtime/process-wide';

/**
 * The number of connections that this process may hold to one address, over all sessions: a page that is reloaded again
 * and again, or clients that send requests and disconnect, must not use up the server's `maxclients`. When all
 * connections are taken, a caller waits for one within its own time limit.
 */
export const MAX_CONNECTIONS_PER_NODE = 48;

/** The connections to one address. */
interface Place {
  open: number;
  /** Functions that hand a released connection to a caller that waits, in the order of the callers. */
  waiting: Set<() => void>;
}

/**
 * Takes one of the connections to an address and returns the function that releases it. Throws `too_many_connections`
 * after `timeoutMs` milliseconds.
 */
export async function takeConnection(
  address: { host: string; port: number },
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<() => void> {
  const places = getProcessWide('connections', () => new Map<string, Place>());
  const id = `${address.host}:${address.port}`;
  const place = places.get(id) ?? { open: 0, waiting: new Set() };
  places.set(id, place);
  if (place.open >= MAX_CONNECTIONS_PER_NODE) await awaitTurn(place, address, timeoutMs, signal);
  else place.open++;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    // Pass it on without counting it as free in between; otherwise a new caller would overtake those that wait.
    const [next] = place.waiting;
    if (next) next();
    else if (--place.open === 0) places.delete(id);
  };
}

function awaitTurn(
  place: Place,
  { host, port }: { host: string; port: number },
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      place.waiting.delete(take);
      signal?.removeEventListener('abort', refuse);
    };
    const take = () => {
      end();
      resolve();
    };
    const refuse = () => {
      end();
      const limit = MAX_CONNECTIONS_PER_NODE;
      const message = `${limit} connections to ${host}:${port} are open already. Try again when running jobs or pages have finished.`;
      reject(new AppError('too_many_connections', message, { host, port, limit }));
    };
    const timer = setTimeout(refuse, Math.max(1, timeoutMs));
    signal?.addEventListener('abort', refuse, { once: true });
    place.waiting.add(take);
    if (signal?.aborted) refuse();
  });
}

import { AppError } from '@/lib/model/errors';
import { getProcessWide } from '@/lib/runtime/process-wide';

/** The open event streams. A server does not end while one is open, so they are closed first. */
interface Registry {
  /** The server is ending. */
  closing: boolean;
  /** Functions that close a stream, one per stream. */
  close: Set<() => void>;
  places: Set<Place>;
}
/** The place that a client has taken for a stream. */
interface Place {
  address: string;
  socket: object;
  over: () => boolean;
}
/** Each stream takes about 200 KB. A page needs one; clients of one proxy have the same address. */
export const MAX_STREAMS = 200;
export const MAX_STREAMS_PER_ADDRESS = 60;
/** A client that reads nothing for this many ms is disconnected. */
export const STALL_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
const getRegistry = () =>
  getProcessWide('open-streams', (): Registry => ({ closing: false, close: new Set(), places: new Set() }));

/**
 * Registers a function that closes a stream and returns one that unregisters it. If the server is already closing, the
 * function is called at once.
 */
export function onServerClose(close: () => void): () => void {
  const { closing, close: all } = getRegistry();
  if (closing) close();
  else all.add(close);
  return () => all.delete(close);
}

/** Closes all streams, and from now on those that begin. */
export function closeStreams(): void {
  const all = getRegistry();
  all.closing = true;
  for (const close of [...all.close]) close();
  all.close.clear();
}

/**
 * Takes a place for a client at this address, until `over` returns true. `over` is checked when the next client comes,
 * because not every way to leave causes an event. Errors: `busy`.
 */
export function takeStreamPlace(address: string, socket: object, over: () => boolean): void {
  const { places } = getRegistry();
  for (const place of places) if (place.over()) places.delete(place);
  const all = [...places];
  const ofAddress = all.filter((place) => place.address === address).length;
  // If a socket already has a stream, a second one on it would never be sent.
  const isSocketTaken = all.some((place) => place.socket === socket);
  if (isSocketTaken || all.length >= MAX_STREAMS || ofAddress >= MAX_STREAMS_PER_ADDRESS) throw createTooManyError();
  places.add({ address, socket, over });
}

/** Also limits streams that were not counted by holdStreamPlace. Errors: `busy`. */
export function assertStreamLimit(): void {
  if (getRegistry().close.size >= MAX_STREAMS) throw createTooManyError();
}

const createTooManyError = () =>
  new AppError('busy', 'Too many event streams are open. Close some pages, or try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

export const countOpenStreams = (): number => getRegistry().close.size;

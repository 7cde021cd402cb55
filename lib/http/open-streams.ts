import { AppError } from '@/lib/model/errors';
import { processWide } from '@/lib/process-wide';

/**
 * Event streams that are open now. A server does not end while one is, so the one who ends it closes them first. On
 * globalThis: routes and the instrumentation are separate copies of this module.
 */
interface Registry {
  closing: boolean;
  close: Set<() => void>;
  places: Set<Place>;
}
interface Place {
  address: string;
  socket: object;
  over: () => boolean;
}
/** Each holds some 200 KB. A page needs one; behind a proxy all have one address. */
export const MAX_STREAMS = 200;
export const MAX_STREAMS_PER_ADDRESS = 60;
/** A reader that takes nothing for so long is let go. */
export const STALL_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
const registry = () =>
  processWide('open-streams', (): Registry => ({ closing: false, close: new Set(), places: new Set() }));

/** Registers a way to close; returns how to take it back. Called at once when the server is already leaving. */
export function onServerClose(close: () => void): () => void {
  const { closing, close: all } = registry();
  if (closing) close();
  else all.add(close);
  return () => all.delete(close);
}

export function closeStreams(): void {
  const all = registry();
  all.closing = true;
  for (const close of [...all.close]) close();
  all.close.clear();
}

/**
 * A place for a reader at this address, held until `over` says that it has left: looked at when the next one comes,
 * because not every way to leave is announced. Errors: `busy`.
 */
export function takeStreamPlace(address: string, socket: object, over: () => boolean): void {
  const { places } = registry();
  for (const place of places) if (place.over()) places.delete(place);
  const all = [...places];
  const here = all.filter((place) => place.address === address).length;
  // Behind a stream on the same socket another is never sent.
  const waits = all.some((place) => place.socket === socket);
  if (waits || all.length >= MAX_STREAMS || here >= MAX_STREAMS_PER_ADDRESS) throw tooMany();
  places.add({ address, socket, over });
}

/** Also for those who came by another way than the door of the server. Errors: `busy`. */
export function assertStreamLimit(): void {
  if (registry().close.size >= MAX_STREAMS) throw tooMany();
}

const tooMany = () =>
  new AppError('busy', 'Too many event streams are open. Close some pages, or try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

export const openStreamCount = (): number => registry().close.size;

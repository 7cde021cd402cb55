import { useSyncExternalStore } from 'react';

/**
 * The event stream sends a heartbeat every second. After this many seconds without one, pages say that the server is
 * silent.
 */
export const SILENT_AFTER_SECONDS = 4;

/** When the server last answered, epoch ms. null until the page starts counting seconds. */
let heardAt: number | null = null;
/**
 * Seconds without an answer. A timer counts them, not the clock: a computer that slept for an hour has missed one.
 */
let missedSeconds = 0;
const listeners = new Set<() => void>();

/** Any answer of the server, also a refusal, is a sign of life. */
export function noteHeartbeat(): void {
  heardAt = Date.now();
  missedSeconds = 0;
  for (const onChange of listeners) onChange();
}

/** Called once per second. */
export function missSecond(): void {
  missedSeconds++;
  for (const onChange of listeners) onChange();
}

/** Since when the server has been silent, epoch ms. null: it answers, as far as this page knows. */
export const useSilentSince = (): number | null => useSyncExternalStore(subscribe, getSilentSince, () => null);

const getSilentSince = () => (missedSeconds >= SILENT_AFTER_SECONDS ? heardAt : null);

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

import { useSyncExternalStore } from 'react';

/** The event stream says every second that the server is there. After so many seconds without a word pages say so. */
export const SILENT_AFTER_SECONDS = 4;

/** Epoch ms of the last word of the server. null until the page counts seconds. */
let heardAt: number | null = null;
/** Counted by a timer, not by the clock: a computer that slept has missed one second, not an hour. */
let missedSeconds = 0;
const listeners = new Set<() => void>();

/** Whatever the server says, also a refusal, is a sign of life. */
export function noteHeartbeat(): void {
  heardAt = Date.now();
  missedSeconds = 0;
  for (const changed of listeners) changed();
}

export function missSecond(): void {
  missedSeconds++;
  for (const changed of listeners) changed();
}

/** Since when the server has not answered, epoch ms. null: it answers, as far as this page knows. */
export const useSilentSince = (): number | null => useSyncExternalStore(subscribe, silentSince, () => null);

const silentSince = () => (missedSeconds >= SILENT_AFTER_SECONDS ? heardAt : null);

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

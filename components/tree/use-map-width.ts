import { useSyncExternalStore } from 'react';

export const MAP_WIDTHS = ['hidden', 'narrow', 'wide'] as const;
export type MapWidth = (typeof MAP_WIDTHS)[number];

const NAME = 'colonnade.treemap';
/** Name of the event after a change in this tab. */
const CHANGED = 'colonnade:treemap';
/** If the browser stores nothing (private mode, blocked storage), the choice lasts as long as the page. */
let unstored: string | null = null;

function read(): MapWidth {
  let text = unstored;
  try {
    text ??= localStorage.getItem(NAME);
  } catch {
    // Storage is blocked.
  }
  return MAP_WIDTHS.find((width) => width === text) ?? 'narrow';
}

function write(width: MapWidth): void {
  unstored = null;
  try {
    localStorage.setItem(NAME, width);
  } catch {
    unstored = width;
  }
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(onChange: () => void): () => void {
  // `storage` reports changes in other tabs, CHANGED those in this one.
  window.addEventListener('storage', onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener('storage', onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

/** How wide the treemap is, kept in this browser. The first HTML has the narrow one, because the server knows no choice. */
export function useMapWidth(): [MapWidth, (width: MapWidth) => void] {
  return [useSyncExternalStore(subscribe, read, () => 'narrow'), write];
}

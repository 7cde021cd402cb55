import { useSyncExternalStore } from 'react';
import { readStored, subscribeToStored, writeStored } from '@/components/data/kept/browser-storage';

export const MAP_WIDTHS = ['hidden', 'narrow', 'wide'] as const;
export type MapWidth = (typeof MAP_WIDTHS)[number];

const NAME = 'colonnade.treemap';
const read = (): MapWidth => MAP_WIDTHS.find((width) => width === readStored(NAME)) ?? 'narrow';

/** How wide the treemap is, kept in this browser. The first HTML has the narrow one, because the server knows no choice. */
export function useMapWidth(): [MapWidth, (width: MapWidth) => void] {
  return [useSyncExternalStore(subscribeToStored, read, () => 'narrow'), (width) => writeStored(NAME, width)];
}

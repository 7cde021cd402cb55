/**
 * A treemap on a canvas: one element for any number of tiles. Pointer and keyboard do the same: move, open, go up. A
 * polite live region says what a sighted person sees. The page shows the same numbers as a table next to it.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Direction,
  findNeighbour,
  findTileAt,
  layoutTreemap,
  type Part,
} from '@/components/charts/scales/treemap-layout';
import { ChartTooltip } from './chart-tooltip';
import { drawTreemap, redrawTiles, type TreemapItem } from './draw-treemap';
import { useSize } from './use-size';
import { useThemeVersion } from './use-theme-version';

interface TreemapProps<T extends TreemapItem> {
  items: readonly T[];
  /** CSS classes that give the box its height. */
  className: string;
  label: string;
  /**
   * The highlighted item; null: none. It can also be set from outside, for example by the table row under the pointer.
   */
  activeId: string | null;
  onActive: (id: string | null, by: 'pointer' | 'keyboard') => void;
  /** `part`: id of the part that was clicked. Only the pointer can open a part; the keyboard opens the item first. */
  onOpen: (id: string, part?: string) => void;
  onUp: () => void;
  tooltip: (item: T, part: Part | null) => ReactNode;
  describe: (item: T) => string;
}

const ARROWS: Record<string, Direction> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

export function Treemap<T extends TreemapItem>(props: TreemapProps<T>) {
  const { items, className, label, activeId, onActive, onOpen, onUp, tooltip, describe } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const theme = useThemeVersion();
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const [focus, setFocus] = useState(false);
  const tiles = useMemo(() => layoutTreemap(items, width, height), [items, width, height]);
  const active = tiles.find((tile) => tile.item.id === activeId) ?? null;

  // Holds what is on the canvas now. If only the active tile changes, at most two tiles are redrawn.
  const drawn = useRef<{ tiles: typeof tiles; theme: number; ratio: number; activeId: string | null } | null>(null);

  useEffect(() => {
    if (!canvas.current || width <= 0) return;
    const look = { size: [width, height] as [number, number], activeId, focus };
    const [before, ratio] = [drawn.current, window.devicePixelRatio];
    if (before?.tiles === tiles && before.theme === theme && before.ratio === ratio) {
      const changed = tiles.filter(({ item }) => item.id === before.activeId || item.id === activeId);
      redrawTiles(canvas.current, changed, look);
    } else drawTreemap(canvas.current, tiles, look);
    drawn.current = { tiles, theme, ratio, activeId };
  }, [tiles, width, height, activeId, focus, theme]);

  function onKeyDown(event: KeyboardEvent) {
    const direction = ARROWS[event.key];
    if (direction) {
      const next = active ? findNeighbour(tiles, active, direction) : (tiles[0] ?? null);
      if (next) onActive(next.item.id, 'keyboard');
    } else if (event.key === 'Enter' && active) onOpen(active.item.id);
    else if (event.key === 'Backspace') onUp();
    else return;
    event.preventDefault();
  }

  const findItemAt = ({ nativeEvent: { offsetX, offsetY } }: { nativeEvent: MouseEvent }) =>
    findTileAt(tiles, offsetX, offsetY)?.item ?? null;
  const findPartAt = ({ x, y }: { x: number; y: number }) =>
    findTileAt(findTileAt(tiles, x, y)?.parts ?? [], x, y)?.item ?? null;

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of canvas and live region, not a form
    <div
      ref={box}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go from tile to tile
      tabIndex={0}
      className={`relative rounded-md focus-visible:outline-offset-4 ${className}`}
      onKeyDown={onKeyDown}
      onFocus={(event) => setFocus(event.currentTarget.matches(':focus-visible'))}
      onBlur={() => setFocus(false)}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        className={`block ${active ? 'cursor-pointer' : 'cursor-default'}`}
        onMouseMove={(event) => {
          setPointer({ x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY });
          onActive(findItemAt(event)?.id ?? null, 'pointer');
        }}
        onMouseLeave={() => {
          setPointer(null);
          onActive(null, 'pointer');
        }}
        onClick={(event) => {
          const item = findItemAt(event);
          const { offsetX: x, offsetY: y } = event.nativeEvent;
          if (item) onOpen(item.id, findPartAt({ x, y })?.id);
        }}
      />
      <div className="sr-only" aria-live="polite">
        {focus && active ? describe(active.item) : ''}
      </div>
      {active && (pointer || focus) ? (
        <ChartTooltip
          x={pointer?.x ?? active.x + active.width / 2}
          y={pointer?.y ?? active.y + active.height / 2}
          width={width}
        >
          {tooltip(active.item, pointer && findPartAt(pointer))}
        </ChartTooltip>
      ) : null}
    </div>
  );
}

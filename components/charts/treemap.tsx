/**
 * Treemap on canvas: one element however many tiles. Pointer and keyboard do the same things — move, open, go up —
 * and a polite live region says what a sighted person sees. The page shows the same numbers as a table beside it.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { css, mix, readColor } from '@/components/charts/scales/chart-colors';
import { crispContext, pageFonts } from '@/components/charts/scales/crisp-canvas';
import { fitText } from '@/components/charts/scales/fit-text';
import { type Direction, layoutTreemap, neighbour, type Tile, tileAt } from '@/components/charts/scales/treemap-layout';
import { ChartTooltip } from './chart-tooltip';
import { useSize } from './use-size';
import { useThemeVersion } from './use-theme-version';

export interface TreemapItem {
  id: string;
  label: string;
  value: number;
  valueLabel: string;
  /** Instead of `valueLabel` where that does not fit. */
  valueShort: string;
  /** Design token, e.g. `--chart-1`. */
  color: string;
  /** How much of the colour covers the ground, 0…1. */
  strength?: number;
  opens: boolean;
}
interface TreemapProps<T extends TreemapItem> {
  items: readonly T[];
  /** Gives the box its height. */
  className: string;
  label: string;
  /** Also highlighted from outside, e.g. by the table row under the pointer. */
  activeId: string | null;
  onActive: (id: string | null) => void;
  onOpen: (id: string) => void;
  onUp?: () => void;
  tooltip: (item: T) => ReactNode;
  describe: (item: T) => string;
}

const ARROWS: Record<string, Direction> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

function draw(
  canvas: HTMLCanvasElement,
  tiles: Tile<TreemapItem>[],
  size: [number, number],
  activeId: string | null,
  focus: boolean,
) {
  const context = crispContext(canvas, ...size);
  if (!context) return;
  const { sans, mono } = pageFonts();
  const ground = readColor('--surface', '#fff');
  const ink = readColor('--foreground', '#111');
  const quiet = mix(ground, ink, 0.66);
  context.textBaseline = 'alphabetic';
  for (const { item, x, y, width, height } of tiles) {
    const color = readColor(item.color);
    const active = item.id === activeId;
    context.fillStyle = css(mix(ground, color, (item.strength ?? 0.28) + (active ? 0.16 : 0)));
    context.beginPath();
    context.roundRect(x, y, width, height, Math.min(4, width / 4, height / 4));
    context.fill();
    if (active) {
      context.strokeStyle = focus ? css(ink) : css(color);
      context.lineWidth = 2;
      context.beginPath();
      context.roundRect(x + 1, y + 1, width - 2, height - 2, 3);
      context.stroke();
    }
    if (width < 34 || height < 20) continue;
    const room = width - 16;
    context.font = `500 12px ${mono}`;
    const text = fitText(item.label, room, (s) => context.measureText(s).width);
    if (text === '') continue;
    context.fillStyle = css(ink);
    const top = height < 36 ? y + height / 2 + 4 : y + 19;
    context.fillText(text, x + 8, top);
    if (height < 40) continue;
    context.font = `11px ${sans}`;
    context.fillStyle = css(quiet);
    const value = [item.valueLabel, item.valueShort].find((s) => context.measureText(s).width <= room);
    if (value) context.fillText(value, x + 8, y + 35);
  }
}

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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme version asks for a redraw
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, tiles, [width, height], activeId, focus);
  }, [tiles, width, height, activeId, focus, theme]);

  function onKeyDown(event: KeyboardEvent) {
    const direction = ARROWS[event.key];
    if (direction) {
      const next = active ? neighbour(tiles, active, direction) : (tiles[0] ?? null);
      if (next) onActive(next.item.id);
    } else if (event.key === 'Enter' && active) onOpen(active.item.id);
    else if (event.key === 'Backspace' && onUp) onUp();
    else return;
    event.preventDefault();
  }

  const at = (event: { nativeEvent: MouseEvent }) =>
    tileAt(tiles, event.nativeEvent.offsetX, event.nativeEvent.offsetY)?.item ?? null;

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of canvas and live region, not a form
    <div
      ref={box}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows walk the tiles
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
        className={`block ${active?.item.opens ? 'cursor-pointer' : 'cursor-default'}`}
        onMouseMove={(event) => {
          setPointer({ x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY });
          onActive(at(event)?.id ?? null);
        }}
        onMouseLeave={() => {
          setPointer(null);
          onActive(null);
        }}
        onClick={(event) => {
          const item = at(event);
          if (item) onOpen(item.id);
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
          {tooltip(active.item)}
        </ChartTooltip>
      ) : null}
    </div>
  );
}

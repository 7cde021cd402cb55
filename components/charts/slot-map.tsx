/**
 * Shows all 16,384 slots as 128 × 128 cells, row by row with slot 0 at the top left. A stripe at the left shows which
 * node owns the first slot of a row; a line separates neighbours of different nodes. Cells are whole device pixels,
 * because the grid would shimmer otherwise.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { css, mix, type Rgb, readColor } from '@/components/charts/scales/chart-colors';
import { prepareCrispContext } from '@/components/charts/scales/crisp-canvas';
import { findScaleStep, SLOT_COUNT, type SlotScale } from '@/components/charts/scales/slot-scale';
import { ChartTooltip } from './chart-tooltip';
import { useSize } from './use-size';
import { useThemeVersion } from './use-theme-version';

/** Cells per row and per column. */
const SIDE = 128;
/** Width in px of the stripe of owners at the left, and of the gap between it and the cells. */
const STRIPE = 8;
const STRIPE_GAP = 4;
/** More rings would hide the map. */
const MAX_RINGS = 24;

type Palette = 'sequential' | 'skew';

interface SlotMapProps {
  label: string;
  /** One value per slot: keys, bytes, or times the mean. */
  values: Float64Array;
  scale: SlotScale;
  palette: Palette;
  /** Node index per slot; −1 = no node owns it. */
  owners: Int16Array;
  /** Largest width and height of the map in px. */
  maxSize: number;
  onOpen: (slot: number) => void;
  tooltip: (slot: number) => ReactNode;
  describe: (slot: number) => string;
}

/**
 * Draws a ring around the largest outliers, at most MAX_RINGS: a slot is only about four pixels wide and would not be
 * noticed.
 */
function markOutliers(context: CanvasRenderingContext2D, values: Float64Array, scale: SlotScale, cell: number) {
  const { outlierFrom } = scale;
  if (outlierFrom === null) return;
  const outliers = [...values.entries()].filter(([, value]) => value >= outlierFrom).sort((a, b) => b[1] - a[1]);
  context.strokeStyle = css(readColor('--danger', '#dc2626'));
  context.lineWidth = 2;
  for (const [slot] of outliers.slice(0, MAX_RINGS)) {
    context.beginPath();
    context.arc(
      STRIPE + ((slot % SIDE) + 0.5) * cell,
      (Math.floor(slot / SIDE) + 0.5) * cell,
      cell / 2 + 5,
      0,
      2 * Math.PI,
    );
    context.stroke();
  }
}

export function SlotMap(props: SlotMapProps) {
  const { label, values, scale, palette, owners, maxSize, onOpen, tooltip, describe } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width: available } = useSize(box);
  const theme = useThemeVersion();
  const [active, setActive] = useState<number | null>(null);
  const [focus, setFocus] = useState(false);

  // Device pixels per CSS pixel. The size of a cell is in CSS pixels.
  const ratio = typeof window === 'undefined' ? 1 : window.devicePixelRatio || 1;
  const cell = Math.max(1, Math.floor(((Math.min(available, maxSize) - STRIPE) * ratio) / SIDE)) / ratio;
  const size = cell * SIDE;
  const ready = available > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new theme has other colours
  useEffect(() => {
    const context = canvas.current && ready ? prepareCrispContext(canvas.current, size + STRIPE, size) : null;
    if (!context) return;
    const colors = buildStepColors(palette, scale.steps, scale.outlierFrom !== null).map(css);
    // Smaller cells have no gap between them: it would take too much of their area.
    const gap = cell * ratio >= 4 ? 1 / ratio : 0;
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      const [x, y] = [STRIPE + (slot % SIDE) * cell, Math.floor(slot / SIDE) * cell];
      context.fillStyle = colors[findScaleStep(scale, values[slot] ?? 0)] ?? '#808080';
      context.fillRect(x, y, cell - gap, cell - gap);
    }
    for (let row = 0; row < SIDE; row++) {
      const owner = owners[row * SIDE] ?? -1;
      if (owner < 0) continue;
      context.fillStyle = css(readColor(`--chart-${(owner % 8) + 1}`));
      context.fillRect(0, row * cell, STRIPE - STRIPE_GAP, cell);
    }
    context.fillStyle = css(readColor('--foreground', '#111'));
    for (let slot = 1; slot < SLOT_COUNT; slot++) {
      if (owners[slot] === owners[slot - 1]) continue;
      const [column, row] = [slot % SIDE, Math.floor(slot / SIDE)];
      // The slots before this one end in this row: a line below them, above the rest of the row, and between the two.
      const line = 1 / ratio;
      context.fillRect(STRIPE + column * cell - line, row * cell - line, size - column * cell + line, line);
      if (column > 0) context.fillRect(STRIPE, (row + 1) * cell - line, column * cell, line);
      if (column > 0) context.fillRect(STRIPE + column * cell - line, row * cell - line, line, cell);
    }
    markOutliers(context, values, scale, cell);
  }, [values, scale, palette, owners, size, cell, ready, ratio, theme]);

  function onKeyDown(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -SIDE,
      ArrowDown: SIDE,
      PageUp: -SIDE * 8,
      PageDown: SIDE * 8,
    };
    const move = moves[event.key];
    if (move !== undefined) setActive((slot) => Math.min(SLOT_COUNT - 1, Math.max(0, slot === null ? 0 : slot + move)));
    else if (event.key === 'Home') setActive(0);
    else if (event.key === 'End') setActive(SLOT_COUNT - 1);
    else if (event.key === 'Enter' && active !== null) onOpen(active);
    else return;
    event.preventDefault();
  }

  const findSlotAt = (x: number, y: number) => {
    const [column, row] = [Math.floor((x - STRIPE) / cell), Math.floor(y / cell)];
    return column >= 0 && column < SIDE && row >= 0 && row < SIDE ? row * SIDE + column : null;
  };
  const x = active === null ? 0 : STRIPE + (active % SIDE) * cell;
  const y = active === null ? 0 : Math.floor(active / SIDE) * cell;

  return (
    <div ref={box} className="w-full">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of canvas and live region, not a form */}
      <div
        role="group"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go from slot to slot
        tabIndex={0}
        className="relative mx-auto rounded-sm focus-visible:outline-offset-4"
        // The space is reserved until the box is measured: a canvas alone would be 300 pixels wide, which a phone may
        // not have.
        style={ready ? { width: size + STRIPE, height: size } : { maxWidth: maxSize, aspectRatio: 1 }}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          if (!event.currentTarget.matches(':focus-visible')) return;
          setFocus(true);
          setActive((slot) => slot ?? 0);
        }}
        onBlur={() => {
          setFocus(false);
          setActive(null);
        }}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={label}
          className="block max-w-full cursor-crosshair"
          onMouseMove={(event) => setActive(findSlotAt(event.nativeEvent.offsetX, event.nativeEvent.offsetY))}
          onMouseLeave={() => setActive(null)}
          onClick={() => active !== null && onOpen(active)}
        />
        <div className="sr-only" aria-live="polite">
          {focus && active !== null ? describe(active) : ''}
        </div>
        {active !== null && ready ? (
          <>
            <div
              aria-hidden="true"
              className="pointer-events-none absolute border-2 border-foreground"
              style={{ left: x - 2, top: y - 2, width: cell + 4, height: cell + 4 }}
            />
            <ChartTooltip x={x} y={y} width={size + STRIPE}>
              {tooltip(active)}
            </ChartTooltip>
          </>
        ) : null}
      </div>
    </div>
  );
}

/** Shows the colour steps of the slot map with their labels. */
export function SlotLegend({ palette, labels, outlier }: { palette: Palette; labels: string[]; outlier: boolean }) {
  const theme = useThemeVersion();
  const [colors, setColors] = useState<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new theme has other colours
  useEffect(
    () => setColors(buildStepColors(palette, labels.length, outlier).map(css)),
    [palette, labels.length, outlier, theme],
  );
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted-foreground">
      {labels.map((label, i) => (
        <li key={label} className="flex items-center gap-1.5 tabular-nums">
          <span aria-hidden="true" className="size-3 rounded-[3px]" style={{ background: colors[i] }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** Returns one colour per step, from the design tokens of the current theme. `outlier`: the last step is a warning. */
function buildStepColors(palette: Palette, steps: number, outlier: boolean): Rgb[] {
  const ground = readColor('--surface', '#fff');
  const ink = readColor('--foreground', '#111');
  const empty = mix(ground, ink, 0.07);
  const blue = readColor('--chart-1', '#3b82f6');
  if (palette === 'sequential' && outlier)
    return [...buildStepColors(palette, steps - 1, false), readColor('--danger', '#dc2626')];
  if (palette === 'sequential') {
    return Array.from({ length: steps }, (_, i) =>
      i === 0 ? empty : mix(ground, blue, 0.18 + (0.82 * (i - 1)) / Math.max(1, steps - 2)),
    );
  }
  const [warm, hot] = [readColor('--warning-solid', '#f59e0b'), readColor('--danger', '#dc2626')];
  return [
    mix(ground, blue, 0.85),
    mix(ground, blue, 0.55),
    mix(ground, blue, 0.28),
    empty,
    mix(ground, warm, 0.45),
    mix(ground, warm, 0.95),
    hot,
  ];
}

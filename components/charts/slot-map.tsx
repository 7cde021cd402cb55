/**
 * Shows all 16,384 slots as 128 × 128 cells, row by row with slot 0 at the top left. A stripe at the left shows which
 * node owns the first slot of a row; a line separates neighbours of different nodes. Cells are whole device pixels,
 * because the grid would shimmer otherwise.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { css, readColor } from '@/components/charts/scales/chart-colors';
import { prepareCrispContext } from '@/components/charts/scales/crisp-canvas';
import { buildStepColors } from '@/components/charts/scales/slot-colors';
import { findScaleStep, SLOT_COUNT, type SlotScale } from '@/components/charts/scales/slot-scale';
import { ChartTooltip } from './chart-tooltip';
import { useSize } from './use-size';
import { useThemeVersion } from './use-theme-version';

const SIDE = 128;
const STRIPE = 8;
const MAX_RINGS = 24;

interface SlotMapProps {
  label: string;
  /** One value per slot: keys, bytes, or times the mean. */
  values: Float64Array;
  scale: SlotScale;
  palette: 'sequential' | 'skew';
  /** Node index per slot; −1 = no node owns it. */
  owners: Int16Array;
  maxSize?: number;
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
  const far = [...values.entries()].filter(([, value]) => value >= outlierFrom).sort((a, b) => b[1] - a[1]);
  context.strokeStyle = css(readColor('--danger', '#dc2626'));
  context.lineWidth = 2;
  for (const [slot] of far.slice(0, MAX_RINGS)) {
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
  const { label, values, scale, palette, owners, maxSize = 640, onOpen, tooltip, describe } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width: available } = useSize(box);
  const theme = useThemeVersion();
  const [active, setActive] = useState<number | null>(null);
  const [focus, setFocus] = useState(false);

  const ratio = typeof window === 'undefined' ? 1 : window.devicePixelRatio || 1;
  const cell = Math.max(1, Math.floor(((Math.min(available, maxSize) - STRIPE) * ratio) / SIDE)) / ratio;
  const size = cell * SIDE;
  const ready = available > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme version asks for a redraw
  useEffect(() => {
    const context = canvas.current && ready ? prepareCrispContext(canvas.current, size + STRIPE, size) : null;
    if (!context) return;
    const colors = buildStepColors(palette, scale.steps, scale.outlierFrom !== null).map((c) => css(c));
    const gap = cell * ratio >= 4 ? 1 / ratio : 0;
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      const [x, y] = [STRIPE + (slot % SIDE) * cell, Math.floor(slot / SIDE) * cell];
      context.fillStyle = colors[findScaleStep(scale, values[slot] ?? 0)] ?? '#808080';
      context.fillRect(x, y, cell - gap, cell - gap);
    }
    const ink = css(readColor('--foreground', '#111'));
    for (let row = 0; row < SIDE; row++) {
      const owner = owners[row * SIDE] ?? -1;
      if (owner >= 0) {
        context.fillStyle = css(readColor(`--chart-${(owner % 8) + 1}`));
        context.fillRect(0, row * cell, STRIPE - 4, cell);
      }
    }
    context.fillStyle = ink;
    for (let slot = 1; slot < SLOT_COUNT; slot++) {
      if (owners[slot] === owners[slot - 1]) continue;
      const [column, row] = [slot % SIDE, Math.floor(slot / SIDE)];
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows walk the slots
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

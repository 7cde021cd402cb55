import { type ReactNode, useRef } from 'react';
import { useSize } from '@/components/charts/use-size';

/** Where things are drawn, in pixels. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface Mark {
  /** 0…1 along its axis, from the left or from below. */
  at: number;
  label: string;
}

/** As Recharts places its axes, so that nothing moves when it takes over. */
const AXIS_WIDTH = 60;
const AXIS_HEIGHT = 30;
const TICK = 8;
const FONT = 11;
/** Of a digit at that size. */
const LETTER = 6.2;

/** Axes and grid around a drawing that nobody has pointed at yet. */
export function StillFrame(props: {
  height: number;
  top: number;
  right: number;
  rows: readonly Mark[];
  columns: readonly Mark[];
  /** Free space between two labels below. */
  gap: number;
  children: (plot: Plot) => ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const plot: Plot = {
    left: AXIS_WIDTH,
    top: props.top,
    width: Math.max(0, width - AXIS_WIDTH - props.right),
    height: props.height - props.top - AXIS_HEIGHT,
  };
  const below = plot.top + plot.height;
  return (
    <div ref={box} className="size-full">
      {width > 0 ? (
        <svg data-still width={width} height={props.height} aria-hidden="true" fontSize={FONT} className="block">
          {props.rows.map((row) => {
            const y = below - row.at * plot.height;
            return (
              <g key={row.at}>
                <line x1={plot.left} x2={plot.left + plot.width} y1={y} y2={y} stroke="var(--border)" />
                <text x={plot.left - TICK} y={y} dy="0.355em" textAnchor="end" fill="var(--muted-foreground)">
                  {row.label}
                </text>
              </g>
            );
          })}
          <line x1={plot.left} x2={plot.left + plot.width} y1={below} y2={below} stroke="var(--border)" />
          {thatFit(props.columns, plot.width, props.gap).map((column) => (
            <text
              key={column.at}
              x={plot.left + column.at * plot.width}
              y={below + TICK}
              dy="0.71em"
              textAnchor="middle"
              fill="var(--muted-foreground)"
            >
              {column.label}
            </text>
          ))}
          {props.children(plot)}
        </svg>
      ) : null}
    </div>
  );
}

/** The last label is kept and ends where the plot ends, then from the first on what does not touch the one before. */
export function thatFit(marks: readonly Mark[], width: number, gap: number): Mark[] {
  const from = ({ at, label }: Mark) => at * width - (label.length * LETTER) / 2;
  const to = ({ at, label }: Mark) => at * width + (label.length * LETTER) / 2;
  const end = marks.at(-1);
  if (!end) return [];
  const last = { ...end, at: Math.min(end.at, 1 - (end.label.length * LETTER) / 2 / width) };
  const kept: Mark[] = [];
  for (const mark of marks.slice(0, -1)) {
    const before = kept.at(-1);
    if ((!before || from(mark) >= to(before) + gap) && to(mark) + gap <= from(last)) kept.push(mark);
  }
  return [...kept, last];
}

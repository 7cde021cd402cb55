/** A bar with its words: name to the left, what it stands for to the right. */
interface DrawnBar {
  id: string;
  label: string;
  /** 0…1 of the width there is. */
  share: number;
  valueLabel: string;
  /** The token behind its colour. */
  color: string;
  opacity?: number;
  /** Where a line crosses it, 0…1. */
  mark?: number;
}
interface BarGroup {
  id: string;
  title: string;
  bars: readonly DrawnBar[];
}

const WIDTH = 600;
const TITLE = 24;
const ROW = 22;
const BAR = { left: 130, width: 330, height: 10 };

/** Bars that a page draws as boxes, as a drawing of their own, of which a picture can be made. */
export function BarDrawing({ groups }: { groups: readonly BarGroup[] }) {
  const heightOf = (group: BarGroup) => TITLE + group.bars.length * ROW;
  const topOf = (at: number) => groups.slice(0, at).reduce((sum, group) => sum + heightOf(group), 0);
  return (
    <svg data-still width={WIDTH} height={topOf(groups.length)} aria-hidden="true" fontSize={11} className="block">
      {groups.map((group, at) => (
        <g key={group.id}>
          <text x={0} y={topOf(at) + 15} fontWeight={600} fill="var(--foreground)">
            {group.title}
          </text>
          {group.bars.map((bar, row) => (
            <Row key={bar.id} bar={bar} top={topOf(at) + TITLE + row * ROW} />
          ))}
        </g>
      ))}
    </svg>
  );
}

function Row({ bar, top }: { bar: DrawnBar; top: number }) {
  const { left, width, height } = BAR;
  const textAt = top + height;
  return (
    <>
      <text x={0} y={textAt} fill="var(--foreground)">
        {bar.label}
      </text>
      <rect x={left} y={top + 1} width={width} height={height} rx={height / 2} fill="var(--chart-track)" />
      <rect
        x={left}
        y={top + 1}
        width={Math.max(bar.share > 0 ? 1 : 0, Math.min(1, bar.share) * width)}
        height={height}
        rx={height / 2}
        fill={`var(${bar.color})`}
        fillOpacity={bar.opacity ?? 1}
      />
      {bar.mark === undefined ? null : (
        <rect x={left + bar.mark * width - 1} y={top - 1} width={2} height={height + 4} fill="var(--foreground)" />
      )}
      <text x={WIDTH} y={textAt} textAnchor="end" fill="var(--muted-foreground)">
        {bar.valueLabel}
      </text>
    </>
  );
}

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

const tick = { fontSize: 11, fill: 'var(--muted-foreground)' };

interface Side {
  name: string;
  format: (value: number) => string;
}
export interface DualLineProps {
  label: string;
  rows: readonly { at: number; left: number; right: number | null }[];
  left: Side;
  right: Side;
  formatTime: (at: number) => string;
  height?: number;
}

export function DrawnDualLine(props: DualLineProps) {
  const { rows, left, right, formatTime } = props;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={[...rows]} margin={{ top: 8, right: 0, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          dataKey="at"
          type="number"
          domain={['dataMin', 'dataMax']}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--border)' }}
          tickFormatter={formatTime}
          minTickGap={48}
        />
        <YAxis yAxisId="left" tick={tick} tickLine={false} axisLine={false} width={56} tickFormatter={left.format} />
        <YAxis
          yAxisId="right"
          orientation="right"
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={56}
          tickFormatter={right.format}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--muted-foreground)' }}
          content={({ active, payload }) => {
            const row = payload?.[0]?.payload as (typeof rows)[number] | undefined;
            return active && row ? (
              <div className="rounded-md border border-border bg-surface px-3 py-2 text-xs shadow-float">
                <p className="text-muted-foreground">{formatTime(row.at)}</p>
                <p>
                  {left.name}: {left.format(row.left)}
                </p>
                <p>
                  {right.name}: {row.right === null ? '—' : right.format(row.right)}
                </p>
              </div>
            ) : null;
          }}
        />
        <Line
          yAxisId="left"
          dataKey="left"
          stroke="var(--chart-1)"
          strokeWidth={1.5}
          dot={false}
          isAnimationActive={false}
        />
        <Line
          yAxisId="right"
          dataKey="right"
          stroke="var(--chart-3)"
          strokeWidth={1.5}
          dot={false}
          isAnimationActive={false}
        />
      </LineChart>
    </ResponsiveContainer>
  );
}

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { TIME_AXIS, TooltipBox, Y_AXIS } from './chart-parts';

const LINE = { strokeWidth: 1.5, dot: false, isAnimationActive: false };

interface Side {
  name: string;
  format: (value: number) => string;
}
export interface DualLineProps {
  label: string;
  /** `at`: epoch ms. `right`: null leaves a gap in the line. */
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
        <XAxis {...TIME_AXIS} tickFormatter={formatTime} minTickGap={48} />
        <YAxis {...Y_AXIS} yAxisId="left" width={56} tickFormatter={left.format} />
        <YAxis {...Y_AXIS} yAxisId="right" orientation="right" width={56} tickFormatter={right.format} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--muted-foreground)' }}
          content={({ active, payload }) => {
            const row = payload?.[0]?.payload as (typeof rows)[number] | undefined;
            return active && row ? (
              <TooltipBox>
                <p className="text-muted-foreground">{formatTime(row.at)}</p>
                <p>
                  {left.name}: {left.format(row.left)}
                </p>
                <p>
                  {right.name}: {row.right === null ? '—' : right.format(row.right)}
                </p>
              </TooltipBox>
            ) : null;
          }}
        />
        <Line {...LINE} yAxisId="left" dataKey="left" stroke="var(--chart-1)" />
        <Line {...LINE} yAxisId="right" dataKey="right" stroke="var(--chart-3)" />
      </LineChart>
    </ResponsiveContainer>
  );
}

export interface Segment {
  id: string;
  label: string;
  value: number;
  valueLabel: string;
  color: string;
}

/**
 * Shows a thin bar of parts, which its text alternative lists. Parts under half a percent are still at least one pixel
 * wide.
 */
export function StackedBar({ segments, className = 'h-2' }: { segments: readonly Segment[]; className?: string }) {
  const total = segments.reduce((sum, s) => sum + s.value, 0);
  const shown = segments.filter((s) => s.value > 0);
  return (
    <div
      role="img"
      aria-label={shown.map((s) => `${s.label} ${s.valueLabel}`).join(', ') || '—'}
      title={shown.map((s) => `${s.label} ${s.valueLabel}`).join('\n')}
      className={`flex w-full gap-px overflow-hidden rounded-full bg-chart-track ${className}`}
    >
      {shown.map((s) => (
        <span
          key={s.id}
          className="h-full min-w-px"
          style={{ width: `${(s.value / (total || 1)) * 100}%`, background: `var(${s.color})` }}
        />
      ))}
    </div>
  );
}

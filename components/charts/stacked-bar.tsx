interface Segment {
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
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  const shown = segments.filter(({ value }) => value > 0);
  const texts = shown.map(({ label, valueLabel }) => `${label} ${valueLabel}`);
  return (
    <div
      role="img"
      aria-label={texts.join(', ') || '—'}
      title={texts.join('\n')}
      className={`flex w-full gap-px overflow-hidden rounded-full bg-chart-track ${className}`}
    >
      {shown.map(({ id, value, color }) => (
        <span
          key={id}
          className="h-full min-w-px"
          style={{ width: `${(value / total) * 100}%`, background: `var(${color})` }}
        />
      ))}
    </div>
  );
}

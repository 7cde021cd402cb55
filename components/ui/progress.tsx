import { cn } from './cn';

/** `value` is from 0 to 1; null: the length is unknown (a moving bar). */
export function ProgressBar(props: {
  value: number | null;
  label: string;
  tone?: 'accent' | 'warning' | 'danger' | 'success' | 'muted';
  className?: string;
}) {
  const fill = {
    accent: 'bg-accent-solid',
    warning: 'bg-warning-solid',
    danger: 'bg-danger-solid',
    success: 'bg-success-solid',
    muted: 'bg-control-border',
  }[props.tone ?? 'accent'];
  const percent = props.value === null ? null : Math.max(0, Math.min(1, props.value)) * 100;
  return (
    <div
      role="progressbar"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent === null ? undefined : Math.round(percent)}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-chart-track', props.className)}
    >
      <div
        className={cn(
          'h-full rounded-full transition-[width] duration-500',
          fill,
          percent === null && 'w-1/4 animate-pulse',
        )}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}

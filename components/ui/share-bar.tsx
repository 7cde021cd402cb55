import { cn } from './cn';

/** Parts of a whole as one stacked bar; decorative, the numbers stand beside it. */
export function ShareBar(props: { parts: { key: string; value: number; colour: string }[]; className?: string }) {
  const sum = props.parts.reduce((a, p) => a + p.value, 0);
  return (
    <div
      aria-hidden
      className={cn('flex h-2 w-full gap-px overflow-hidden rounded-full bg-chart-track', props.className)}
    >
      {sum > 0
        ? props.parts.map((p) => (
            <div
              key={p.key}
              style={{ width: `${(p.value / sum) * 100}%`, background: p.colour }}
              className="min-w-px"
            />
          ))
        : null}
    </div>
  );
}

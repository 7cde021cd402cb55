import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { cn } from '@/components/ui/cn';

/** A share as a bar and in per cent; null is unknown and shows no bar. */
export function ShareCell(props: {
  share: number | null;
  color?: string;
  /** Classes of the bar: its width, and where it is hidden, e.g. `max-sm:hidden`. */
  barClass?: string;
}) {
  const f = useFormat();
  return (
    <span className="flex items-center gap-2">
      <span className={cn('w-12', props.barClass)}>
        <ShareBar share={props.share ?? 0} color={props.color} />
      </span>
      <span className="num w-11 text-right text-muted-foreground text-xs">{f.share(props.share)}</span>
    </span>
  );
}

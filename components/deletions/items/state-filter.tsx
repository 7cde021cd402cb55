import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { STATE_TONES } from '@/components/deletions/state-tones';
import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/cn';
import { ITEM_STATES, type ItemState } from '@/lib/model/deletions/item-states';

/** The number of keys in each state, and buttons that show only those. */
export function StateFilter(props: {
  counts: Partial<Record<ItemState, number>>;
  expire: boolean;
  value: ItemState | 'all';
  onValueChange: (state: ItemState | 'all') => void;
}) {
  const t = useTranslations('deletions');
  const f = useFormat();
  const states = ITEM_STATES.filter((state) => (props.counts[state] ?? 0) > 0 || state === props.value);
  const [first] = states;
  if (first === undefined) return null;
  const renderBadge = (state: ItemState) => (
    <Badge tone={STATE_TONES[state] ?? 'neutral'}>
      {t(`item.${props.expire && state === 'done' ? 'expired' : state}`)}
      <span className="num">{f.number(props.counts[state] ?? 0)}</span>
    </Badge>
  );
  // There is only one state, so there is nothing to choose.
  if (states.length === 1 && props.value === 'all') return <p className="border-b px-4 py-2.5">{renderBadge(first)}</p>;
  return (
    <fieldset className="flex flex-wrap gap-1.5 border-b px-4 py-2.5">
      <legend className="sr-only">{t('live.filter')}</legend>
      {(['all', ...states] as const).map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={state === props.value}
          onClick={() => props.onValueChange(state)}
          className={cn(
            'rounded',
            state === props.value && 'ring-1 ring-accent-solid ring-offset-1 ring-offset-surface',
          )}
        >
          {state === 'all' ? <Badge tone="outline">{t('live.all')}</Badge> : renderBadge(state)}
        </button>
      ))}
    </fieldset>
  );
}

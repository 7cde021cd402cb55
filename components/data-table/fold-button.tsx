import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';

/** Shows the other rows of a table that shows its first ones, or hides them again. */
export function FoldButton(props: { open: boolean; shown: number; total: number; onOpen: (open: boolean) => void }) {
  const t = useTranslations('ui');
  return (
    <div className="border-t px-2 py-1.5">
      <Button size="xs" variant="ghost" aria-expanded={props.open} onClick={() => props.onOpen(!props.open)}>
        {props.open ? t('fewerRows', { count: props.shown }) : t('moreRows', { count: props.total - props.shown })}
      </Button>
    </div>
  );
}

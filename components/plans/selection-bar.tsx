import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { CopyNamesMenu } from './copy-names-menu';
import { PlanButton } from './plan-button';
import type { useSelection } from './use-selection';
import { useSizeText } from './use-size-text';

/**
 * The selected rows and what can be done with them, on one line. It is hidden while nothing is selected, and making a
 * plan clears the selection.
 */
export function SelectionBar(
  props: {
    instanceId: string;
    /** The visible rows; others may be selected on another page or under another filter. */
    shown: readonly KeyRow[];
  } & ReturnType<typeof useSelection>,
) {
  const t = useTranslations('deletions.new');
  const f = useFormat();
  const formatSize = useSizeText();
  if (props.count === 0) return null;
  const elsewhere = props.count - props.shown.filter(props.has).length;
  const size = formatSize(props.totals);
  const counted =
    elsewhere > 0 ? t('selectedElsewhere', { count: props.count, elsewhere }) : t('selected', { count: props.count });
  const text = `${counted} · ${size}`;
  return (
    <section aria-label={text} className="flex min-w-0 flex-1 items-center gap-2">
      <span className="num min-w-0 truncate font-medium" title={text}>
        <span aria-hidden className="@lg:hidden">
          {f.number(props.count)} · {size}
        </span>
        <span className="@max-lg:sr-only">{text}</span>
      </span>
      <PlanButton instanceId={props.instanceId} selection={props.selection} variant="primary" onMade={props.clear}>
        {t('planSelected', { count: props.count })}
      </PlanButton>
      <CopyNamesMenu names={props.names} />
      <Button size="sm" variant="ghost" onClick={props.clear} className="@max-2xl:px-1.5" title={t('clear')}>
        <X aria-hidden className="@2xl:hidden" />
        <span className="@max-2xl:sr-only">{t('clear')}</span>
      </Button>
    </section>
  );
}

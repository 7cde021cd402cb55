import { SlidersHorizontal } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { createLazyPopoverContent, Popover, PopoverTrigger } from '@/components/ui/overlays/popover';
import { buildFilterChips } from './filter-chips';
import { useFilter } from './use-filter';

const OPEN_IN_BAR = ['search', 'prefix', 'type', 'template'];
const Fields = createLazyPopoverContent(() => import('./filter-more-fields').then((loaded) => loaded.FilterMoreFields));

export function FilterMore() {
  const t = useTranslations('filters');
  const { filter } = useFilter();
  const count = buildFilterChips(filter).filter((chip) => !OPEN_IN_BAR.includes(chip.id)).length;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button>
          <SlidersHorizontal aria-hidden />
          {t('more')}
          {count > 0 ? <Badge tone="accent">{count}</Badge> : null}
        </Button>
      </PopoverTrigger>
      <Fields />
    </Popover>
  );
}

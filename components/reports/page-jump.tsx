import { ChevronFirst, ChevronLast } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/forms/input';

/** Opens the first page, the last one, or the one whose number is typed. `page` and `onPage` count from 0. */
export function PageJump({ page, count, onPage }: { page: number; count: number; onPage: (page: number) => void }) {
  const t = useTranslations('filters.pager');
  const f = useFormat();
  const last = count - 1;
  return (
    <form
      className="flex items-center gap-1.5 text-muted-foreground text-xs"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = Number(new FormData(event.currentTarget).get('page'));
        if (Number.isInteger(typed)) onPage(Math.min(Math.max(typed - 1, 0), last));
      }}
    >
      <Button size="iconSm" aria-label={t('first')} title={t('first')} disabled={page === 0} onClick={() => onPage(0)}>
        <ChevronFirst aria-hidden />
      </Button>
      <Input
        // Another page has another number in the field.
        key={page}
        name="page"
        inputMode="numeric"
        aria-label={t('goTo')}
        title={t('goTo')}
        defaultValue={page + 1}
        autoComplete="off"
        className="num h-7 w-14 px-2 text-right text-xs"
      />
      <span className="num whitespace-nowrap">{t('ofPages', { count: f.number(count) })}</span>
      <Button
        size="iconSm"
        aria-label={t('last')}
        title={t('last')}
        disabled={page === last}
        onClick={() => onPage(last)}
      >
        <ChevronLast aria-hidden />
      </Button>
    </form>
  );
}

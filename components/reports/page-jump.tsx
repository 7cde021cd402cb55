import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Input } from '@/components/ui/forms/input';

/** The number of the page as a field, which opens another page. `page` and `onPage` count from 0. */
export function PageJump(props: { page: number; count: number; onPage: (page: number) => void }) {
  const t = useTranslations('filters.pager');
  const f = useFormat();
  return (
    <form
      className="flex items-center gap-1.5 text-muted-foreground text-xs"
      onSubmit={(event) => {
        event.preventDefault();
        const page = Number(new FormData(event.currentTarget).get('page'));
        if (Number.isInteger(page)) props.onPage(page - 1);
      }}
    >
      <Input
        // Another page has another number in the field.
        key={props.page}
        name="page"
        inputMode="numeric"
        aria-label={t('goTo')}
        title={t('goTo')}
        defaultValue={props.page + 1}
        autoComplete="off"
        className="num h-7 w-14 px-2 text-right text-xs"
      />
      <span className="num whitespace-nowrap">{t('ofPages', { count: f.number(props.count) })}</span>
    </form>
  );
}

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import type { usePages } from './use-pages';

/** Loaded with the first list of several pages. */
const PageJump = createLazyPart(() => import('./page-jump').then((loaded) => loaded.PageJump));

/**
 * Says which rows of how many are shown, with buttons for the previous and the next page. `jumps`: the cursors of the
 * list are offsets, so that any page can be opened by its number.
 */
export function Pager(props: {
  pages: ReturnType<typeof usePages>;
  pageSize: number;
  shown: number;
  total: number;
  nextCursor: string | null;
  jumps?: boolean;
}) {
  const t = useTranslations('filters.pager');
  const f = useFormat();
  const from = props.pages.page * props.pageSize + 1;
  const { pages, nextCursor } = props;
  const count = Math.ceil(props.total / props.pageSize);
  return (
    // Neither part wraps within itself; in Chinese both together are wider than a narrow phone.
    <nav
      aria-label={t('label')}
      className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 border-t px-4 py-2"
    >
      <span className="num text-muted-foreground text-xs" aria-live="polite">
        {t('range', { from: f.number(from), to: f.number(from + props.shown - 1), total: f.number(props.total) })}
      </span>
      <div className="ml-auto flex items-center gap-1.5">
        <Button size="sm" disabled={pages.page === 0} onClick={pages.previous}>
          <ChevronLeft aria-hidden />
          {t('previous')}
        </Button>
        {props.jumps && count > 2 ? (
          <PageJump page={pages.page} count={count} onPage={(page) => pages.jump(page, props.pageSize)} />
        ) : null}
        <Button size="sm" disabled={nextCursor === null} onClick={() => nextCursor !== null && pages.next(nextCursor)}>
          {t('next')}
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  );
}

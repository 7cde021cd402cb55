import { useTranslations } from 'use-intl';
import { secondsText } from '@/components/reports/filter/parse-quantity';
import { useDraft } from '@/components/reports/filter/use-draft';
import { Input } from '@/components/ui/forms/input';
import { parseBounds } from './parse-bounds';

/** The bounds of the histogram's buckets; a change is requested a moment after typing has stopped. */
export function TtlBounds(props: { bounds: number[]; onBounds: (bounds: number[]) => void }) {
  const t = useTranslations('ttl');
  const draft = useDraft(
    props.bounds.map(secondsText).join(', '),
    (text) => {
      const bounds = parseBounds(text);
      if (bounds) props.onBounds(bounds);
    },
    700,
  );
  const bad = parseBounds(draft.text) === null;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2">
      <label htmlFor="ttl-bounds" className="text-muted-foreground text-xs">
        {t('bounds')}
      </label>
      <Input
        id="ttl-bounds"
        className="h-7 w-52 text-xs"
        placeholder={t('boundsHint')}
        value={draft.text}
        aria-invalid={bad || undefined}
        aria-describedby="ttl-bounds-note"
        onChange={(e) => draft.change(e.target.value)}
        onBlur={draft.flush}
      />
      <span id="ttl-bounds-note" className={bad ? 'text-danger text-xs' : 'sr-only'}>
        {t(bad ? 'boundsBad' : 'boundsHelp')}
      </span>
    </div>
  );
}

import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Input } from '@/components/ui/forms/input';
import { LONG_REST_MS, useDraft } from './use-draft';
import { useFilter } from './use-filter';

type RangeName = 'ttl' | 'bytes' | 'length' | 'idle' | 'slot';

/**
 * The fields for both ends of a range. Invalid text stays in its field, marked, and does not filter. `parse` returns
 * undefined for an empty field and null for invalid text.
 */
export function FilterRange(props: {
  name: RangeName;
  parse: (text: string) => number | null | undefined;
  format: (value: number) => string;
  max?: number;
}) {
  const t = useTranslations('filters');
  const { filter, set } = useFilter();
  const noteId = useId();
  const { name, parse, format, max = Number.POSITIVE_INFINITY } = props;
  const ends = [`${name}Min`, `${name}Max`] as const;
  const read = (text: string) => {
    const value = parse(text);
    return typeof value === 'number' && value > max ? null : value;
  };
  const formatEnd = (end: (typeof ends)[number]) => {
    const value = filter[end];
    return value === undefined ? '' : format(value);
  };
  const commit = (end: (typeof ends)[number]) => (text: string) => {
    const value = read(text);
    if (value !== null) set({ [end]: value ?? null });
  };
  const low = useDraft(formatEnd(ends[0]), commit(ends[0]), LONG_REST_MS);
  const high = useDraft(formatEnd(ends[1]), commit(ends[1]), LONG_REST_MS);
  const invalid = [low, high].map((draft) => read(draft.text) === null);
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">
        {t(`name.${name}`)}
        <span className="ml-2 font-normal text-muted-foreground text-xs">{t(`hint.${name}`)}</span>
      </legend>
      <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
        {[low, high].map((draft, i) => (
          <Input
            key={ends[i]}
            className={i === 1 ? 'col-start-3' : undefined}
            aria-label={`${t(`name.${name}`)} ${t(i === 0 ? 'from' : 'to')}`}
            aria-invalid={invalid[i] || undefined}
            aria-describedby={invalid[i] ? noteId : undefined}
            placeholder={i === 0 ? '≥' : '≤'}
            value={draft.text}
            onChange={(event) => draft.change(event.target.value)}
            onBlur={draft.flush}
          />
        ))}
        <span aria-hidden className="col-start-2 row-start-1 text-muted-foreground">
          –
        </span>
      </div>
      {invalid.some(Boolean) ? (
        <p id={noteId} className="text-danger text-xs">
          {t('notUnderstood', { examples: t(`hint.${name}`) })}
        </p>
      ) : null}
    </fieldset>
  );
}

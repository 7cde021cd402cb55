import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Input } from '@/components/ui/forms/input';
import { useDraft } from './use-draft';
import { useFilter } from './use-filter';

type RangeName = 'ttl' | 'bytes' | 'length' | 'idle' | 'slot';

/** Both ends of a range as a person types them. Invalid text stays in the field, marked, and does not filter. */
export function FilterRange(props: {
  name: RangeName;
  parse: (text: string) => number | null | undefined;
  write: (value: number) => string;
  highest?: number;
}) {
  const t = useTranslations('filters');
  const { filter, set } = useFilter();
  const note = useId();
  const { name, parse, write, highest = Number.POSITIVE_INFINITY } = props;
  const ends = [`${name}Min`, `${name}Max`] as const;
  const read = (text: string) => {
    const value = parse(text);
    return typeof value === 'number' && value > highest ? null : value;
  };
  const formatEnd = (end: (typeof ends)[number]) => {
    const value = filter[end];
    return value === undefined ? '' : write(value);
  };
  const commit = (end: (typeof ends)[number]) => (text: string) => {
    const value = read(text);
    if (value !== null) set({ [end]: value ?? null });
  };
  const low = useDraft(formatEnd(ends[0]), commit(ends[0]), 600);
  const high = useDraft(formatEnd(ends[1]), commit(ends[1]), 600);
  const bad = [low, high].map((draft) => read(draft.text) === null);
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
            aria-invalid={bad[i] || undefined}
            aria-describedby={bad[i] ? note : undefined}
            placeholder={i === 0 ? '≥' : '≤'}
            value={draft.text}
            onChange={(e) => draft.change(e.target.value)}
            onBlur={draft.flush}
          />
        ))}
        <span aria-hidden className="col-start-2 row-start-1 text-muted-foreground">
          –
        </span>
      </div>
      {bad.some(Boolean) ? (
        <p id={note} className="text-danger text-xs">
          {t('notUnderstood', { examples: t(`hint.${name}`) })}
        </p>
      ) : null}
    </fieldset>
  );
}

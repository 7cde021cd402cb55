import { useTranslations } from 'use-intl';
import { KeyName } from '@/components/ui/key-name';
import { isFolded } from './tree-path';

/** A part of a name: text, `{int}` for many ids, or ∅ where two delimiters stand side by side. */
export function SegmentName({ segment, max = 60 }: { segment: string; max?: number }) {
  const t = useTranslations('tree');
  if (segment === '') {
    return (
      <span className="rounded bg-muted px-1 font-mono text-muted-foreground" title={t('emptyHint')}>
        {t('empty')}
        <span className="sr-only"> {t('emptyHint')}</span>
      </span>
    );
  }
  if (isFolded(segment)) {
    return (
      <span className="truncate rounded bg-accent-soft px-1 font-mono text-[0.95em] text-accent" title={segment}>
        {segment}
      </span>
    );
  }
  return <KeyName name={segment} max={max} />;
}

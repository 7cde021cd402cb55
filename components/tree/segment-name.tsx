import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import { KeyName } from '@/components/ui/key-name';
import { isFolded } from './tree-path';

/** A part of a name: text, `{int}` for many ids, or ∅ between two adjacent delimiters. */
export function SegmentName(props: {
  segment: string;
  max?: number;
  /** The part is one of several in a line of text that is cut as a whole. */
  inline?: boolean;
  /** The part is the whole name of a key. */
  isName?: boolean;
}) {
  const { segment, max = 60, inline, isName } = props;
  const t = useTranslations('tree');
  if (segment === '') {
    const hint = t(isName ? 'emptyKeyHint' : 'emptyHint');
    return (
      <span className="rounded bg-muted px-1 font-mono text-muted-foreground" title={hint}>
        {t('empty')}
        {inline ? null : <span className="sr-only"> {hint}</span>}
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
  return <KeyName name={segment} max={max} className={cn(inline && 'inline')} />;
}

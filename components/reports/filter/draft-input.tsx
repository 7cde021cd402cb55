import { type ComponentProps, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Input } from '@/components/ui/forms/input';
import type { GlobFault } from '@/lib/model/text/glob';
import { useDraft } from './use-draft';

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onKeyDown'> & {
  value: string;
  onCommit: (text: string) => void;
};

/** A text field that commits a moment after the last key press, or at once on Enter. */
export function DraftInput({ value, onCommit, ...props }: Props) {
  const draft = useDraft(value, onCommit);
  return (
    <Input
      value={draft.text}
      onChange={(event) => draft.change(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && draft.flush()}
      {...props}
    />
  );
}

/**
 * A field for a text or a glob pattern of names. An invalid pattern is not committed; the field says how to write it.
 */
export function GlobInput({ onCommit, ...props }: ComponentProps<typeof DraftInput>) {
  const t = useTranslations('filters.glob');
  const faultId = useId();
  const [fault, setFault] = useState<GlobFault | null>(null);
  const latest = useRef('');
  const commit = async (text: string) => {
    latest.current = text;
    // Only few texts contain a character that can make a pattern invalid; the parser is loaded for these alone.
    const found = /[[\\]/.test(text) ? (await import('@/lib/model/text/glob')).findGlobFault(text) : null;
    // While the parser was loaded, another text may have been typed.
    if (latest.current !== text) return;
    setFault(found);
    if (found === null) onCommit(text);
  };
  return (
    <>
      <DraftInput
        title={t('hint')}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : faultId}
        {...props}
        onCommit={commit}
      />
      {fault === null ? null : (
        <p
          id={faultId}
          role="alert"
          className="absolute top-full left-0 z-10 mt-1 w-72 rounded-md border bg-surface p-2 text-danger text-xs shadow-float"
        >
          {t(fault)}
        </p>
      )}
    </>
  );
}

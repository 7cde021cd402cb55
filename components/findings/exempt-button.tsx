import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { buildPathExemption, type ExemptedPlaces } from '@/components/rules/path-exemption';
import { Button } from '@/components/ui/button';

/**
 * Opens the dialog that exempts what a row shows: everything below its prefix, or a pattern of its folded path. If
 * neither is possible, it says why.
 */
export function ExemptButton(props: {
  /** null: the row is not about a path. */
  path: string | null;
  /** The row is about the keys that end at the path, not about those below it. */
  end: boolean;
  onExempt: (start: ExemptedPlaces) => void;
}) {
  const t = useTranslations('findings');
  const why = useId();
  const start = buildPathExemption(props.path ?? '', props.end);
  if (start !== null)
    return (
      <Button size="xs" variant="ghost" onClick={() => props.onExempt(start)}>
        {t('exempt')}
      </Button>
    );
  return (
    <span title={t('exemptNot')} className="inline-flex">
      <Button size="xs" variant="ghost" disabled aria-describedby={why}>
        {t('exempt')}
      </Button>
      <span id={why} className="sr-only">
        {t('exemptNot')}
      </span>
    </span>
  );
}

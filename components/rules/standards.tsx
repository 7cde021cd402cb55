import { useTranslations } from 'use-intl';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { cn } from '@/components/ui/cn';
import { Tooltip } from '@/components/ui/overlays/tooltip';
import type { RuleInfo } from '@/lib/model/rules/rules';

/**
 * The standards that contain a rule, as small chips on one line; the strength and the full title are shown on hover and
 * focus.
 */
export function StandardChips({ sources }: { sources: RuleInfo['sources'] }) {
  const t = useTranslations('rules.source');
  const getStandardTitle = useStandardTitle();
  return (
    <ul className="flex flex-wrap gap-1">
      {sources.map(({ standard, strength }) => (
        <li key={standard}>
          <Tooltip content={`${getStandardTitle(standard)}: ${t(strength)}`}>
            <button
              type="button"
              data-hint
              className={cn(
                'block h-4.5 cursor-help rounded border px-1 text-2xs leading-4 text-muted-foreground',
                strength === 'mandatory' && 'border-border-strong text-foreground',
              )}
            >
              {standard}
              <span className="sr-only">{` ${getStandardTitle(standard)}: ${t(strength)}`}</span>
            </button>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}

/**
 * The titles of the standards, once on a page that names them by id. `chips`: the page shows chips, so their frame is
 * explained too. Renders nothing until the catalogue is loaded.
 */
export function StandardLegend({ chips = false, className }: { chips?: boolean; className?: string }) {
  const t = useTranslations('rules');
  const { catalogue } = useRules();
  if (!catalogue) return null;
  return (
    <dl className={cn('flex flex-wrap gap-x-4 gap-y-0.5 text-muted-foreground text-xs', className)}>
      {catalogue.standards.map(({ id, title }) => (
        <div key={id} className="flex gap-1.5">
          <dt className="font-medium text-foreground">{id}</dt>
          <dd>{title}</dd>
        </div>
      ))}
      {chips ? (
        <div>
          <dt className="sr-only">{t('legendFrame')}</dt>
          <dd>{t('legend')}</dd>
        </div>
      ) : null}
    </dl>
  );
}

/** The standards that contain a rule, and the strength in each: `S1 mandatory`. The full title is in the tooltip. */
export function StandardNames({ sources }: { sources: RuleInfo['sources'] }) {
  const t = useTranslations('rules.source');
  const getStandardTitle = useStandardTitle();
  return (
    <ul className="flex flex-wrap gap-x-2 gap-y-0.5 text-muted-foreground text-xs">
      {sources.map(({ standard, strength }) => (
        <li key={standard} className="whitespace-nowrap">
          <Tooltip content={getStandardTitle(standard)}>
            <span className="underline decoration-dotted underline-offset-2">{standard}</span>
          </Tooltip>{' '}
          {t(strength)}
        </li>
      ))}
    </ul>
  );
}

/** Returns the function that gives the full title of a standard; its id until the catalogue is loaded. */
function useStandardTitle(): (standard: string) => string {
  const { catalogue } = useRules();
  return (standard) => catalogue?.standards.find(({ id }) => id === standard)?.title ?? standard;
}

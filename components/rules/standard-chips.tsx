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
  const { catalogue } = useRules();
  const titles = new Map(catalogue?.standards.map((one) => [one.id, one.title]));
  return (
    <ul className="flex flex-wrap gap-1">
      {sources.map(({ standard, strength }) => (
        <li key={standard}>
          <Tooltip content={`${titles.get(standard) ?? standard}: ${t(strength)}`}>
            <button
              type="button"
              data-hint
              className={cn(
                'block h-4.5 cursor-help rounded border px-1 text-2xs leading-4 text-muted-foreground',
                strength === 'mandatory' && 'border-border-strong text-foreground',
              )}
            >
              {standard}
              <span className="sr-only"> {t(strength)}</span>
            </button>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}

import { useTranslations } from 'use-intl';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { Tooltip } from '@/components/ui/overlays/tooltip';
import type { RuleInfo } from '@/lib/model/rules/rules';

/** The standards that contain a rule, and the strength in each: `S1 mandatory`. The full title is in the tooltip. */
export function StandardNames({ sources }: { sources: RuleInfo['sources'] }) {
  const t = useTranslations('rules.source');
  const { catalogue } = useRules();
  const titles = new Map(catalogue?.standards.map((one) => [one.id, one.title]));
  return (
    <ul className="flex flex-wrap gap-x-2 gap-y-0.5 text-muted-foreground text-xs">
      {sources.map(({ standard, strength }) => (
        <li key={standard} className="whitespace-nowrap">
          <Tooltip content={titles.get(standard) ?? standard}>
            <span className="underline decoration-dotted underline-offset-2">{standard}</span>
          </Tooltip>{' '}
          {t(strength)}
        </li>
      ))}
    </ul>
  );
}

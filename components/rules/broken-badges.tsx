'use client';
import { Tooltip } from '@/components/ui/tooltip';
import { RuleId } from './rule-id';
import { useRuleText } from './use-rule-text';

const SHOWN = 4;

/** The rules a key breaks, each with its title on hover and focus. */
export function BrokenBadges({ rules }: { rules: readonly string[] }) {
  const textOf = useRuleText();
  if (rules.length === 0) return null;
  const rest = rules.slice(SHOWN);
  return (
    <span className="flex gap-1">
      {rules.slice(0, SHOWN).map((id) => (
        <Tooltip key={id} content={textOf(id).title}>
          <button type="button" className="cursor-help rounded">
            <RuleId id={id} />
          </button>
        </Tooltip>
      ))}
      {rest.length > 0 ? (
        <span className="text-muted-foreground text-xs leading-5" title={rest.join(', ')}>
          +{rest.length}
        </span>
      ) : null}
    </span>
  );
}

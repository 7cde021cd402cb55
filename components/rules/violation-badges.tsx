import { Tooltip } from '@/components/ui/overlays/tooltip';
import { RuleId } from './rule-id';
import { useRuleText } from './use-rule-text';

/**
 * The first letters of rule ids (values, expiry, own rules, names) in the order of the badges: the most important for a
 * large key come first.
 */
const ORDER = 'VTXN';

/** The rules that a key violates, each with its title on hover and focus. */
export function ViolationBadges({ rules, max }: { rules: readonly string[]; max: number }) {
  const getRuleText = useRuleText();
  if (rules.length === 0) return null;
  const sorted = rules.toSorted((a, b) => ORDER.indexOf(a.charAt(0)) - ORDER.indexOf(b.charAt(0)));
  const rest = sorted.slice(max);
  return (
    <span className="flex gap-1">
      {sorted.slice(0, max).map((id) => (
        <Tooltip key={id} content={getRuleText(id).title}>
          <button type="button" data-hint className="cursor-help rounded">
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

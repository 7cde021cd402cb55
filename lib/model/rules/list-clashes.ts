import type { ProfileBody } from '@/lib/model/rules/policy';
import type { RuleInfo } from '@/lib/model/rules/rules';

type Rule = Pick<RuleInfo, 'id' | 'kind' | 'contradicts'>;

/**
 * Returns the rules that are on and require something else than `rule`, if that is on. Rules that are only read for
 * reference are left out: they judge nothing and cannot be turned off.
 */
export function listClashes(
  rule: Rule,
  { rules }: Pick<ProfileBody, 'rules'>,
  known: ReadonlyMap<string, Rule>,
): string[] {
  if (!rules[rule.id]?.on || rule.kind === 'reference') return [];
  return rule.contradicts.filter((id) => rules[id]?.on && known.get(id)?.kind !== 'reference');
}

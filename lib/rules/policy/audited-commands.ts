import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { listForbiddenCommands } from '@/lib/rules/server/judge-commands';

/**
 * The commands for which the base profile (rule C1) requires a check whether every user may call them; empty if the
 * rule is off. The base profile is used because it evaluates the servers of the whole instance.
 */
export function listAuditedCommands(policy: EffectivePolicy): string[] {
  const setting = policy.profiles[policy.base]!.body.rules.C1;
  if (!setting?.on) return [];
  const defaultCommands = ruleById.get('C1')!.params.commands!.default;
  return listForbiddenCommands({ commands: defaultCommands, ...setting.params });
}

import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { forbiddenCommands } from '@/lib/rules/server/judge-commands';

/**
 * About which commands the profile wants to know whether everybody may call them; it judges the servers of the whole
 * instance.
 */
export function auditedCommands(policy: EffectivePolicy): string[] {
  const setting = policy.profiles[policy.base]!.body.rules.C1;
  if (!setting?.on) return [];
  const ours = ruleById.get('C1')!.params.commands!.default;
  return forbiddenCommands({ commands: ours, ...setting.params });
}

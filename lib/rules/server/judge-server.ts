import type { ServerAudit, ServerRuleFinding } from '@/lib/model/servers/server-audit';
import { catalogue } from '../catalogue';
import type { Params } from '../types';

/**
 * Judges every server rule of `settings` (id → parameters; absent ones have their default), in the catalogue's order.
 * `expiryShare` is the share of keys that expire (0…1; null: unknown).
 */
export function judgeServer(
  audit: ServerAudit,
  settings: ReadonlyMap<string, Params>,
  snapshot: { expiryShare: number | null },
): ServerRuleFinding[] {
  return catalogue.flatMap((rule) => {
    const given = settings.get(rule.id);
    if (!rule.judge || given === undefined) return [];
    const defaults = Object.fromEntries(Object.entries(rule.params).map(([name, spec]) => [name, spec.default]));
    return [{ rule: rule.id, ...rule.judge(audit, { ...defaults, ...given }, snapshot) }];
  });
}

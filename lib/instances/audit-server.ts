import { destinationPolicy } from '@/lib/credentials/destination-policy';
import { openTarget } from '@/lib/credentials/open-target';
import { effectivePolicy } from '@/lib/findings/effective-policy';
import type { Actor } from '@/lib/model/actor';
import type { ServerAudit, ServerRuleFinding } from '@/lib/model/server-audit';
import { readServerAudit } from '@/lib/redis/config-audit';
import { judgeServer } from '@/lib/rules/server/judge-server';
import { listSnapshots } from '@/lib/store/snapshots';
import { withSession } from './with-session';

/** The servers as they are now, and what the instance's profile says to that. Reads only, and no key. */
export async function auditServer(
  _actor: Actor,
  instanceId: string,
): Promise<{ audit: ServerAudit; findings: ServerRuleFinding[] }> {
  const audit = await withSession(await openTarget(instanceId), destinationPolicy(), readServerAudit);
  const policy = await effectivePolicy(instanceId);
  const { rules } = policy.profiles[policy.base]!.body;
  const on = new Map(Object.entries(rules).flatMap(([id, rule]) => (rule.on ? [[id, rule.params] as const] : [])));
  return { audit, findings: judgeServer(audit, on, { expiryShare: await expiryShare(instanceId) }) };
}

/** Of the newest whole snapshot; null = there is none that knows. */
async function expiryShare(instanceId: string): Promise<number | null> {
  const newest = (await listSnapshots(instanceId)).find((snapshot) => snapshot.state === 'sealed');
  if (!newest || newest.noExpiryKeys === null || newest.keys === 0) return null;
  return 1 - newest.noExpiryKeys / newest.keys;
}

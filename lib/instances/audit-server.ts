import path from 'node:path';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { findNewestSealed } from '@/lib/model/reports/fleet';
import type { ServerAudit, ServerRuleFinding } from '@/lib/model/servers/server-audit';
import { readServerAudit } from '@/lib/redis/server/config-audit';
import { listAuditedCommands } from '@/lib/rules/policy/audited-commands';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { computeExpiryShare } from '@/lib/rules/report/expiry-share';
import { judgeServer } from '@/lib/rules/server/judge-server';
import { config } from '@/lib/runtime/config';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { bringSnapshot } from '@/lib/snapshots/remote/bring-snapshot';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { withLiveSession } from './with-session';

/**
 * Reads the current state of the servers and judges it by the instance's profile. It reads no keys and writes nothing.
 */
export const auditServer = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string): Promise<{ audit: ServerAudit; findings: ServerRuleFinding[] }> => {
    const policy = await getEffectivePolicy(instanceId);
    const audit = await withLiveSession(instanceId, (session) => readServerAudit(session, listAuditedCommands(policy)));
    const { rules } = policy.profiles[policy.base]!.body;
    const paramsOfRules = new Map(
      Object.entries(rules).flatMap(([id, rule]) => (rule.on ? [[id, rule.params] as const] : [])),
    );
    return {
      audit,
      findings: judgeServer(audit, paramsOfRules, { expiryShare: await readNewestExpiryShare(instanceId) }),
    };
  },
);

/**
 * Share (0–1) of keys with an expiry in the newest sealed snapshot of the whole keyspace; null = there is none, or its
 * share is unknown.
 */
export async function readNewestExpiryShare(instanceId: string): Promise<number | null> {
  const newest = findNewestSealed(await listSnapshotRows(instanceId));
  // A snapshot of a part does not represent the whole keyspace.
  if (newest === null || newest.isPart) return null;
  const dir = path.join(config.snapshotsDir, newest.id);
  try {
    await bringSnapshot(newest.id);
    return await withSource({ dir, manifest: await readManifest(dir) }, computeExpiryShare);
  } catch (error) {
    // The snapshot is damaged, or the object store does not return it.
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

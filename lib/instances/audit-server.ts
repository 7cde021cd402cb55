import path from 'node:path';
import { verb } from '@/lib/auth/verb';
import { ofInstance } from '@/lib/auth/verb-scopes';
import { config } from '@/lib/config';
import { auditedCommands } from '@/lib/findings/policy/audited-commands';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { expiryShare } from '@/lib/findings/report/expiry-share';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { newestSealed } from '@/lib/model/reports/fleet';
import type { ServerAudit, ServerRuleFinding } from '@/lib/model/servers/server-audit';
import { readServerAudit } from '@/lib/redis/server/config-audit';
import { judgeServer } from '@/lib/rules/server/judge-server';
import { bringSnapshot } from '@/lib/snapshot-store/bring-snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { withLiveSession } from './with-live-session';

/** The servers as they are now, and what the instance's profile says to that. Reads only, and no key. */
export const auditServer = verb(
  { needs: 'instance.read', on: ofInstance },
  async (_actor: Actor, instanceId: string): Promise<{ audit: ServerAudit; findings: ServerRuleFinding[] }> => {
    const policy = await effectivePolicy(instanceId);
    const audit = await withLiveSession(instanceId, (session) => readServerAudit(session, auditedCommands(policy)));
    const { rules } = policy.profiles[policy.base]!.body;
    const on = new Map(Object.entries(rules).flatMap(([id, rule]) => (rule.on ? [[id, rule.params] as const] : [])));
    return { audit, findings: judgeServer(audit, on, { expiryShare: await newestExpiryShare(instanceId) }) };
  },
);

/** Of the newest whole snapshot, as its findings have it; null = there is none that knows. */
export async function newestExpiryShare(instanceId: string): Promise<number | null> {
  const newest = newestSealed(await listSnapshotRows(instanceId));
  // A part says nothing of the whole.
  if (newest === null || newest.isPart) return null;
  const dir = path.join(config.snapshotsDir, newest.id);
  try {
    await bringSnapshot(newest.id);
    return await withSource({ dir, manifest: await readManifest(dir) }, expiryShare);
  } catch (error) {
    // Damaged, or the object store does not give it.
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

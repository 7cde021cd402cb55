import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import type { Job } from '@/lib/model/job';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { insertInstanceRow } from '@/lib/store/instances';
import { insertJob } from '@/lib/store/jobs';
import { transaction } from '@/lib/store/open-store';
import { insertSnapshot } from '@/lib/store/snapshots';

const DAY_MS = 24 * 3_600_000;
const UNSEALED = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
const ENVIRONMENTS = ['production', 'staging', 'development'] as const;

/** The store of COLONNADE_DATA and COLONNADE_DATABASE_URL as after a month: each instance is scanned once a day. */
export async function fillRegistry(instances: number, snapshotsEach: number): Promise<string[]> {
  const ids: string[] = [];
  const now = Date.now();
  for (let i = 0; i < instances; i++) {
    const id = `i${String(i).padStart(5, '0')}`;
    ids.push(id);
    const settings = InstanceSettings.parse({
      name: `team-${i % 25}-redis-${i}`,
      topology: i % 3 === 0 ? 'cluster' : 'standalone',
      endpoints: [{ host: '127.0.0.1', port: 1024 + i }],
      tags: [`team-${i % 25}`, `region-${i % 5}`],
      environment: ENVIRONMENTS[i % 3],
    });
    await transaction(async (tx) => {
      await insertInstanceRow({ id, settings, sealed: UNSEALED, createdAt: now - 40 * DAY_MS, updatedAt: now }, tx);
    });
    const { hash } = await effectivePolicy(id);
    await transaction(async (tx) => {
      for (let day = 0; day < snapshotsEach; day++) {
        const at = now - day * DAY_MS - i * 1000;
        const keys = 1_000_000 + i * 1000 - day * 500;
        const job = jobAt(`j${i}-${day}`, id, settings.name, at);
        await insertJob(job, {}, tx);
        await insertSnapshot(
          {
            ...{
              id: `s${i}-${day}`,
              instanceId: id,
              jobId: job.id,
              state: 'sealed',
              startedAt: at,
              endedAt: at + 60_000,
            },
            ...{
              keys,
              bytes: keys * 120,
              bigkeys: i % 40,
              noExpiryKeys: keys >> 2,
              partial: false,
              fileBytes: keys * 11,
            },
            ...{
              score: 60 + (i % 40),
              mandatoryKeys: i % 17,
              recommendedKeys: 400,
              adviceKeys: 9000,
              policyHash: hash,
            },
          },
          tx,
        );
      }
    });
  }
  return ids;
}

const jobAt = (id: string, instanceId: string, instanceName: string, at: number): Job => ({
  ...{ id, instanceId, instanceName, kind: 'scan', snapshotId: null, state: 'succeeded', speed: 'gentle' },
  ...{ progress: null, reason: null, cost: null, error: null, actor: 'ada' },
  ...{ createdAt: at, startedAt: at + 20, endedAt: at + 60_000, updatedAt: at + 60_000 },
});

import { NO_ASSIGNMENT } from '@/lib/model/rules/policy';
import { presets } from '@/lib/rules/profiles/presets';
import { listAssignmentRows } from '@/lib/store/policies/assignments';
import { listExemptionRows } from '@/lib/store/policies/exemptions';
import { listOwnerRows } from '@/lib/store/policies/owners';
import { listProfileRows } from '@/lib/store/policies/profiles';
import { resolvePolicy } from './effective-policy';

/**
 * Returns a function for the hash of the effective policy of any instance, as `getEffectivePolicy` computes it. Four
 * queries serve all instances: a fleet has hundreds, and most have the same policy.
 */
export async function createPolicyHasher(now = Date.now()): Promise<(instanceId: string) => string> {
  const [assignmentRows, exemptionRows, ownerRows, profileRows] = await Promise.all([
    listAssignmentRows(),
    listExemptionRows(null),
    listOwnerRows(null),
    listProfileRows(),
  ]);
  const assignments = new Map(assignmentRows.map(({ instanceId, assignment }) => [instanceId, assignment]));
  const exemptions = groupByInstance(exemptionRows.filter(({ expiresAt }) => expiresAt === null || expiresAt > now));
  const owners = groupByInstance(ownerRows);
  const bodies = new Map(profileRows.map(({ id, body }) => [id, body]));
  const getBody = (id: string) => presets.get(id) ?? bodies.get(id) ?? presets.get('default')!;
  /** Hashes by the settings that they are computed from. */
  const known = new Map<string, string>();
  return (instanceId) => {
    const assignment = assignments.get(instanceId) ?? NO_ASSIGNMENT;
    const own = { exemptions: exemptions(instanceId), owners: owners(instanceId) };
    const key = JSON.stringify([assignment, own.exemptions.map(({ id }) => id), own.owners.map(({ id }) => id)]);
    let hash = known.get(key);
    if (hash === undefined) {
      const ids = [assignment.profileId, ...assignment.prefixes.map(({ profileId }) => profileId)];
      const used = new Map(ids.map((id) => [id, getBody(id)]));
      hash = resolvePolicy(assignment, used, own.exemptions, own.owners).hash;
      known.set(key, hash);
    }
    return hash;
  };
}

/** The rows of an instance and those of all instances, in the order of `rows`. */
function groupByInstance<Row extends { instanceId: string | null }>(rows: readonly Row[]): (id: string) => Row[] {
  const withRows = new Set(rows.map(({ instanceId }) => instanceId));
  const ofAll = rows.filter(({ instanceId }) => instanceId === null);
  return (id) => (withRows.has(id) ? rows.filter((row) => row.instanceId === null || row.instanceId === id) : ofAll);
}

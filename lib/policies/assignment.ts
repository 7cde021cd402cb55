import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { type Assignment, NO_ASSIGNMENT } from '@/lib/model/rules/policy';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { runTransaction } from '@/lib/store/open-store';
import { getAssignmentRow, getAssignmentSavedAt, putAssignmentRow } from '@/lib/store/policies/assignments';
import { getProfileRow } from '@/lib/store/policies/profiles';
import { evaluateConcerned } from './evaluate-concerned';
import { requireKnownInstance } from './require-known-instance';

interface InstancePolicy {
  assignment: Assignment;
  /** Epoch ms; null = nobody has chosen a profile. */
  updatedAt: number | null;
  /** `delimiter`: that of the profile of the instance, which separates the segments of its names. */
  effective: { hash: string; profiles: { id: string; name: string }[]; delimiter: string };
}

/** Returns what an instance is checked against. Errors: `not_found`. */
export const getAssignment = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string): Promise<InstancePolicy> => {
    await requireKnownInstance(instanceId);
    const { hash, profiles, base } = await getEffectivePolicy(instanceId);
    // The time is read first: if somebody saves between the two reads, the next save fails with a conflict instead of
    // overwriting it.
    const updatedAt = await getAssignmentSavedAt(instanceId);
    return {
      assignment: (await getAssignmentRow(instanceId)) ?? NO_ASSIGNMENT,
      updatedAt,
      effective: {
        hash,
        profiles: profiles.map(({ id, body }) => ({ id, name: body.name })),
        delimiter: profiles[base]!.body.delimiter,
      },
    };
  },
);

/**
 * Sets the profiles of an instance. `seenAt`: when the edited assignment had been saved (ms; null = nobody had chosen),
 * so that nobody overwrites a change that they have not seen; undefined = do not check. Errors: `not_found` (instance),
 * `bad_request` (unknown profile, prefix given twice), `conflict` (saved since).
 */
export const setAssignment = verb(
  { needs: 'policy.assign', on: scopeToInstance, action: 'policy.assign' },
  async (actor: Actor, instanceId: string, assignment: Assignment, seenAt?: number | null): Promise<InstancePolicy> => {
    const entry = { action: 'policy.assign', subject: instanceId, instanceId };
    await runTransaction(async (tx) => {
      await requireKnownInstance(instanceId, tx);
      const savedAt = await getAssignmentSavedAt(instanceId, tx);
      if (seenAt !== undefined && savedAt !== seenAt)
        throw new AppError(
          'conflict',
          'Another user has changed the profiles of this instance meanwhile. Reload the page and make your change again.',
          { field: 'updatedAt' },
        );
      const prefixes = assignment.prefixes.map(({ prefix }) => prefix);
      const twice = prefixes.find((prefix, i) => prefixes.indexOf(prefix) !== i);
      if (twice !== undefined)
        throw new AppError('bad_request', `The prefix ${twice} is given twice.`, { field: 'prefixes' });
      for (const id of [assignment.profileId, ...assignment.prefixes.map(({ profileId }) => profileId)])
        if (!presets.has(id) && (await getProfileRow(id, tx)) === null)
          throw new AppError('bad_request', `There is no profile ${id}. Choose one of those that exist.`, {
            field: 'profileId',
          });
      await recordAudit(tx, { ...entry, actor, details: { ...assignment } });
      // Two saves within one tick of the clock must have different times.
      const updatedAt = Math.max(Date.now(), (savedAt ?? 0) + 1);
      await putAssignmentRow(instanceId, { ...assignment, updatedAt }, tx);
    });
    await evaluateConcerned(instanceId);
    return getAssignment(actor, instanceId);
  },
);

import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Profile, ProfileBody } from '@/lib/model/rules/policy';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { presets } from '@/lib/rules/profiles/presets';
import { generateId } from '@/lib/store/generate-id';
import { runTransaction } from '@/lib/store/open-store';
import { getProfileRow, listProfileRows, putProfileRow } from '@/lib/store/policies/profiles';
import { getProfile } from './list-profiles';
import { validateProfile } from './validate-profile';

const MAX_PROFILES = 200;

/** Creates a profile of the team. Errors: `bad_request`, `conflict` (name), `too_large`. */
export const createProfile = verb(
  { needs: 'profile.manage', on: scopeToAll, action: 'profile.create', subject: ({ name }: ProfileBody) => name },
  async (actor: Actor, body: ProfileBody): Promise<Profile> => {
    return save(actor, generateId(), body, 'profile.create');
  },
);

/**
 * Saves a profile. Instances that use it are checked again without a new scan. `seenAt`: when the edited profile had
 * been saved (ms), so that nobody overwrites a change that they have not seen; null = do not check. Errors:
 * `not_found`, `read_only` (preset), `conflict` (name, or saved since).
 */
export const updateProfile = verb(
  { needs: 'profile.manage', on: scopeToAll, action: 'profile.update' },
  async (actor: Actor, id: string, body: ProfileBody, seenAt: number | null = null): Promise<Profile> => {
    return save(actor, id, body, 'profile.update', seenAt);
  },
);

async function save(
  actor: Actor,
  id: string,
  body: ProfileBody,
  action: string,
  seenAt: number | null = null,
): Promise<Profile> {
  const entry = { action, subject: id };
  if (presets.has(id))
    throw new AppError('read_only', 'A preset cannot be changed. Copy it and change the copy.', { id });
  await validateProfile(body);
  await runTransaction(async (tx) => {
    const before = await getProfileRow(id, tx);
    if (action === 'profile.update' && before === null)
      throw new AppError('not_found', 'There is no such profile.', { id });
    if (before !== null && seenAt !== null && before.updatedAt !== seenAt)
      throw new AppError(
        'conflict',
        `"${before.body.name}" was saved by another user meanwhile. Reload it and make your change again.`,
        { field: 'updatedAt' },
      );
    const others = (await listProfileRows(tx)).filter((row) => row.id !== id);
    if (
      others.some((row) => row.body.name === body.name) ||
      [...presets.values()].some(({ name }) => name === body.name)
    )
      throw new AppError('conflict', `There is a profile named "${body.name}" already. Choose another name.`, {
        field: 'name',
      });
    if (others.length >= MAX_PROFILES) throw new AppError('too_large', `There are ${MAX_PROFILES} profiles already.`);
    await recordAudit(tx, {
      ...entry,
      actor,
      details: { name: body.name, changed: listChangedRules(before?.body ?? null, body) },
    });
    // Two saves within one tick of the clock must have different times.
    const updatedAt = Math.max(Date.now(), (before?.updatedAt ?? 0) + 1);
    await putProfileRow({ id, body, updatedAt }, tx);
  });
  const saved = await getProfile(actor, id);
  for (const instance of saved.usedBy) evaluateSoon(instance.id);
  return saved;
}

/** Returns the ids of the rules that have changed. */
function listChangedRules(before: ProfileBody | null, after: ProfileBody): string[] {
  if (before === null) return [];
  const ids = new Set([...Object.keys(before.rules), ...Object.keys(after.rules)]);
  const rules = [...ids].filter((id) => JSON.stringify(before.rules[id]) !== JSON.stringify(after.rules[id]));
  return JSON.stringify(before.custom) === JSON.stringify(after.custom) ? rules : [...rules, 'custom'];
}

import { recordAudit } from '@/lib/audit/record';
import { requireRole } from '@/lib/audit/require-role';
import { evaluateSoon } from '@/lib/findings/evaluate-soon';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Profile, ProfileBody } from '@/lib/model/policy';
import { presets } from '@/lib/rules/presets';
import { newId } from '@/lib/store/new-id';
import { transaction } from '@/lib/store/open-store';
import { getProfileRow, listProfileRows, putProfileRow } from '@/lib/store/profiles';
import { acceptProfile } from './accept-profile';
import { getProfile } from './get-profile';

const MOST_PROFILES = 200;

/** A new profile of the team's own. Errors: `bad_request`, `conflict` (name). */
export async function createProfile(actor: Actor, body: ProfileBody): Promise<Profile> {
  return save(actor, newId(), body, 'profile.create');
}

/** Instances that are held against it are checked again, without a new scan. Errors: `not_found`, `read_only` (preset). */
export async function updateProfile(actor: Actor, id: string, body: ProfileBody): Promise<Profile> {
  return save(actor, id, body, 'profile.update');
}

async function save(actor: Actor, id: string, body: ProfileBody, action: string): Promise<Profile> {
  const entry = { action, subject: id };
  await requireRole(actor, 'admin', entry);
  if (presets.has(id))
    throw new AppError('read_only', 'A preset cannot be changed. Copy it and change the copy.', { id });
  await acceptProfile(body);
  await transaction(async (tx) => {
    const before = await getProfileRow(id, tx);
    if (action === 'profile.update' && before === null)
      throw new AppError('not_found', 'There is no such profile.', { id });
    const others = (await listProfileRows(tx)).filter((row) => row.id !== id);
    if (others.some((row) => row.body.name === body.name) || [...presets.values()].some((p) => p.name === body.name))
      throw new AppError('conflict', `There is a profile named "${body.name}" already. Choose another name.`, {
        field: 'name',
      });
    if (others.length >= MOST_PROFILES) throw new AppError('too_large', `There are ${MOST_PROFILES} profiles already.`);
    await recordAudit(tx, {
      ...entry,
      actor,
      details: { name: body.name, changed: changed(before?.body ?? null, body) },
    });
    await putProfileRow({ id, body, updatedAt: Date.now() }, tx);
  });
  const saved = await getProfile(actor, id);
  for (const instance of saved.usedBy) evaluateSoon(instance.id);
  return saved;
}

/** Ids of the rules that are not as they were. */
function changed(before: ProfileBody | null, after: ProfileBody): string[] {
  if (before === null) return [];
  const ids = new Set([...Object.keys(before.rules), ...Object.keys(after.rules)]);
  const rules = [...ids].filter((id) => JSON.stringify(before.rules[id]) !== JSON.stringify(after.rules[id]));
  return JSON.stringify(before.custom) === JSON.stringify(after.custom) ? rules : [...rules, 'custom'];
}

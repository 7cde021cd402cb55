import type { Actor } from '@/lib/model/actor';
import type { ProfileBody } from '@/lib/model/policy';
import { readProfile, writeProfile } from '@/lib/rules/profile-file';
import { acceptProfile } from './accept-profile';
import { getProfile } from './get-profile';

/** Reads and checks; stores nothing. Errors: `bad_request` with everything that is wrong. */
export async function importProfile(_actor: Actor, yaml: string): Promise<{ body: ProfileBody; warnings: string[] }> {
  const { body } = readProfile(yaml);
  return { body, ...(await acceptProfile(body)) };
}

export async function exportProfile(actor: Actor, id: string): Promise<{ name: string; yaml: string }> {
  const { body } = await getProfile(actor, id);
  return { name: body.name, yaml: writeProfile(body) };
}

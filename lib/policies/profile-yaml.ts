import { verb } from '@/lib/access/auth/verb';
import { scopeToAll, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { formatProfile, parseProfile } from '@/lib/rules/profiles/profile-file';
import { getProfile } from './list-profiles';
import { validateProfile } from './validate-profile';

/**
 * Reads and checks a profile file and stores nothing. It requires an administrator, because storing the profile is the
 * next step. Errors: `forbidden`, `bad_request` with everything that is wrong.
 */
export const checkProfileFile = verb(
  { needs: 'profile.manage', on: scopeToAll, action: 'profile.import', subject: () => 'file' },
  async (_actor: Actor, yaml: string): Promise<{ body: ProfileBody; warnings: string[] }> => {
    const { body } = parseProfile(yaml);
    return { body, ...(await validateProfile(body)) };
  },
);

/** Returns a profile as a YAML file, with its name. Errors: `not_found`. */
export const exportProfile = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, id: string): Promise<{ name: string; yaml: string }> => {
    const { body } = await getProfile(actor, id);
    return { name: body.name, yaml: formatProfile(body) };
  },
);

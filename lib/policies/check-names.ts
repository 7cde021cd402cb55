import { z } from 'zod';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import { ProfileBody } from '@/lib/model/rules/policy';
import { lintNames } from './lint-names';
import { getProfile } from './list-profiles';

/** Body of POST /api/profiles/check: an unsaved profile, or the id of a stored one, and the names to check. */
export const NamesToCheck = z.object({
  body: ProfileBody.optional(),
  profileId: z.string().max(64).optional(),
  names: z.array(z.object({ name: z.string().max(4096), type: z.string().max(64).nullish() })).max(1000),
});
export type NamesToCheck = z.infer<typeof NamesToCheck>;

/** Checks names against the naming rules of a profile. Errors: `bad_request`, `not_found` (profile). */
export const checkNames = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, { body, profileId, names }: NamesToCheck): Promise<KeyVerdict[]> => {
    const profile = body ?? (profileId === undefined ? null : (await getProfile(actor, profileId)).body);
    if (profile === null) throw new AppError('bad_request', 'Give a profile or its id.', { field: 'body' });
    return lintNames(
      profile,
      names.map(({ name, type }) => ({ name, type: type ?? null })),
    );
  },
);

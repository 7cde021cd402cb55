import { handle } from '@/lib/http/handle';
import { ProfileInput } from '@/lib/model/rules/policy';
import { listProfiles } from '@/lib/policies/list-profiles';
import { createProfile } from '@/lib/policies/save-profile';

export const GET = handle({}, async ({ actor }) => ({ profiles: await listProfiles(actor) }));

export const POST = handle({ body: ProfileInput, status: 201 }, async ({ actor, body }) => ({
  profile: await createProfile(actor, body.body),
}));

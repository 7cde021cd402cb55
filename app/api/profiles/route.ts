import { handle } from '@/lib/http/handle';
import { ProfileInput } from '@/lib/model/rules/policy';
import { listProfiles } from '@/lib/policies/list-profiles';
import { createProfile } from '@/lib/policies/save-profile';

export const GET = handle(
  {
    summary: 'List the built-in and custom profiles, with the instances that use them.',
    answer: 'profiles: all of them.',
  },
  async ({ actor }) => ({
    profiles: await listProfiles(actor),
  }),
);
export const POST = handle(
  { summary: 'Create a profile.', answer: 'profile: the profile that was created.', body: ProfileInput, status: 201 },
  async ({ actor, body }) => ({
    profile: await createProfile(actor, body.body),
  }),
);

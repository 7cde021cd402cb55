import { handle } from '@/lib/http/handle';
import { ProfileInput } from '@/lib/model/rules/policy';
import { listProfiles } from '@/lib/policies/list-profiles';
import { createProfile } from '@/lib/policies/save-profile';

export const GET = handle(
  {
    summary: 'Built-in and custom profiles, with the instances that use them.',
    answer: 'profiles.',
  },
  async ({ actor }) => ({
    profiles: await listProfiles(actor),
  }),
);
export const POST = handle(
  { summary: 'A new profile.', answer: 'The profile.', body: ProfileInput, status: 201 },
  async ({ actor, body }) => ({
    profile: await createProfile(actor, body.body),
  }),
);

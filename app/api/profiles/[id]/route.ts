import { handle, WithId as params } from '@/lib/http/handle';
import { ProfileInput } from '@/lib/model/rules/policy';
import { getProfile } from '@/lib/policies/list-profiles';
import { removeProfile } from '@/lib/policies/remove-profile';
import { updateProfile } from '@/lib/policies/save-profile';

export const GET = handle(
  { summary: 'One profile.', answer: 'profile: the profile, with the instances that use it.', params },
  async ({ actor, params: { id } }) => ({ profile: await getProfile(actor, id) }),
);
export const PUT = handle(
  {
    summary:
      'Change a profile. The latest snapshots of the instances that use it are checked again, without a new scan.',
    answer: 'profile: the profile as it is now.',
    params,
    body: ProfileInput,
  },
  async ({ actor, params: { id }, body }) => ({
    profile: await updateProfile(actor, id, body.body, body.updatedAt ?? null),
  }),
);
export const DELETE = handle(
  { summary: 'Delete a profile that no instance uses.', answer: 'id: the profile that was deleted.', params },
  ({ actor, params: { id } }) => removeProfile(actor, id),
);

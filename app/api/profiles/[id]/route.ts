import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ProfileInput } from '@/lib/model/rules/policy';
import { getProfile } from '@/lib/policies/get-profile';
import { removeProfile } from '@/lib/policies/remove-profile';
import { updateProfile } from '@/lib/policies/save-profile';

const params = z.object({ id: Id });

export const GET = handle(
  { summary: 'One profile.', answer: 'profile', params },
  async ({ actor, params: { id } }) => ({ profile: await getProfile(actor, id) }),
);
export const PUT = handle(
  {
    summary: 'Change a profile. The latest snapshots that use it are checked again, without a new scan.',
    answer: 'The profile.',
    params,
    body: ProfileInput,
  },
  async ({ actor, params: { id }, body }) => ({
    profile: await updateProfile(actor, id, body.body, body.updatedAt ?? null),
  }),
);
export const DELETE = handle(
  { summary: 'Delete a profile that no instance uses.', answer: 'id', params },
  ({ actor, params: { id } }) => removeProfile(actor, id),
);

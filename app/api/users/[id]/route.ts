import { updateUser } from '@/lib/access/users/update-user';
import { handle, WithId as params } from '@/lib/http/handle';
import { UserUpdate } from '@/lib/model/accounts/accounts';

export const PATCH = handle(
  {
    summary: 'Role, grants, or whether the account may be used. That person signs in anew.',
    answer: 'The user.',
    params,
    body: UserUpdate,
  },
  async ({ actor, params: { id }, body }) => ({
    user: await updateUser(actor, id, body),
  }),
);

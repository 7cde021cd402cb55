import { updateUser } from '@/lib/access/users/update-user';
import { handle, WithId as params } from '@/lib/http/handle';
import { UserUpdate } from '@/lib/model/accounts/accounts';

export const PATCH = handle(
  {
    summary:
      'Change the role or the grants of a user, or whether the account may be used. The user has to sign in again.',
    answer: 'user: the user as it is now.',
    params,
    body: UserUpdate,
  },
  async ({ actor, params: { id }, body }) => ({
    user: await updateUser(actor, id, body),
  }),
);

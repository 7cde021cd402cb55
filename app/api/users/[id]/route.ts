import { handle, WithId as params } from '@/lib/http/handle';
import { UserUpdate } from '@/lib/model/accounts/accounts';
import { updateUser } from '@/lib/users/update-user';

export const PATCH = handle({ params, body: UserUpdate }, async ({ actor, params: { id }, body }) => ({
  user: await updateUser(actor, id, body),
}));

import { resetUser } from '@/lib/access/users/reset-user';
import { handle, WithId as params } from '@/lib/http/handle';

export const POST = handle(
  {
    summary: 'Reset a lost password. The old password and all sessions of the user end.',
    answer: 'link: the one-time link that sets a new password.',
    params,
  },
  async ({ actor, params: { id } }) => ({ link: await resetUser(actor, id) }),
);

import { resetUser } from '@/lib/access/users/reset-user';
import { handle, WithId as params } from '@/lib/http/handle';

export const POST = handle(
  {
    summary: 'For a lost password: the old one and all sessions end.',
    answer: 'The one-time link by which a new one is set.',
    params,
  },
  async ({ actor, params: { id } }) => ({ link: await resetUser(actor, id) }),
);

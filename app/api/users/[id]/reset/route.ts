import { handle, WithId as params } from '@/lib/http/handle';
import { resetUser } from '@/lib/users/reset-user';

export const POST = handle(
  {
    summary: 'For a lost password: the old one and all sessions end.',
    answer: 'The one-time link by which a new one is set.',
    params,
  },
  async ({ actor, params: { id } }) => ({ link: await resetUser(actor, id) }),
);

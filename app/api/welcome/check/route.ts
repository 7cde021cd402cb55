import { findLinkUser } from '@/lib/access/users/use-link';
import { handle } from '@/lib/http/handle';
import { LinkCheck } from '@/lib/model/accounts/accounts';

export const POST = handle(
  {
    summary: 'Whom a one-time link is for.',
    answer: 'name: of the user (null = the link creates the first administrator).',
    open: true,
    body: LinkCheck,
  },
  async ({ body: { token } }) => ({
    name: (await findLinkUser(token))?.name ?? null,
  }),
);

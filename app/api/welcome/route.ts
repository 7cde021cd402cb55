import { useLink as openLink } from '@/lib/access/users/use-link';
import { handle } from '@/lib/http/handle';
import { answerWithSession } from '@/lib/http/session-answer';
import { LinkUse } from '@/lib/model/accounts/accounts';

export const POST = handle(
  {
    summary: 'Set a password with a one-time link, and sign in.',
    answer: 'An empty object. The cookie of the session is set.',
    status: 201,
    open: true,
    body: LinkUse,
  },
  async ({ body, from, request }) => answerWithSession(request, await openLink(body, from), { status: 201 }),
);

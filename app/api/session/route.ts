import { getProviderSignOutAddress } from '@/lib/access/users/providers/provider-sign-out-address';
import { signIn } from '@/lib/access/users/sign-in';
import { signOut } from '@/lib/access/users/sign-out';
import { buildSessionInfo } from '@/lib/http/access/session-info';
import { handle } from '@/lib/http/handle';
import { answerWithSession } from '@/lib/http/session-answer';
import { Credentials } from '@/lib/model/accounts/accounts';

export const GET = handle(
  { summary: 'Who is signed in, with role and grants.', answer: 'user, singleUser, storeReadOnly', open: true },
  ({ actor }) => buildSessionInfo(actor),
);
export const POST = handle(
  {
    summary:
      'Sign in. The answer sets the cookie of the session; ten failed tries in a quarter of an hour are the limit.',
    answer: 'Nothing but the cookie.',
    status: 201,
    open: true,
    body: Credentials,
  },
  async ({ actor, body, from, request }) =>
    answerWithSession(request, await signIn(body, from, actor), { status: 201 }),
);
export const DELETE = handle(
  {
    summary: 'Sign out.',
    answer:
      'location: where the browser goes to sign out at the identity provider too; null: nowhere. The cookie ends.',
  },
  async ({ actor, request }) =>
    answerWithSession(request, null, { body: { location: await getProviderSignOutAddress(await signOut(actor)) } }),
);

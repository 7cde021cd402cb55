import { getProviderSignOutAddress } from '@/lib/access/users/providers/provider-sign-out-address';
import { signIn } from '@/lib/access/users/sign-in';
import { signOut } from '@/lib/access/users/sign-out';
import { buildSessionInfo } from '@/lib/http/access/session-info';
import { handle } from '@/lib/http/handle';
import { answerWithSession } from '@/lib/http/session-answer';
import { Credentials } from '@/lib/model/accounts/accounts';

export const GET = handle(
  {
    summary: 'Who is signed in, with role and grants.',
    answer: 'user: null = nobody. singleUser: there is no sign-in. storeReadOnly: nothing can be saved now.',
    open: true,
  },
  ({ actor }) => buildSessionInfo(actor),
);
export const POST = handle(
  {
    summary: 'Sign in. Ten failed attempts per account and address in a quarter of an hour are the limit.',
    answer: 'An empty object. The cookie of the session is set.',
    status: 201,
    open: true,
    body: Credentials,
  },
  async ({ actor, body, from, request }) =>
    answerWithSession(request, await signIn(body, from, actor), { status: 201 }),
);
export const DELETE = handle(
  {
    summary: 'Sign out: end the session of this request.',
    answer: 'location: where the browser signs out at the identity provider (null = nowhere). The cookie is deleted.',
  },
  async ({ actor, request }) =>
    answerWithSession(request, null, { body: { location: await getProviderSignOutAddress(await signOut(actor)) } }),
);

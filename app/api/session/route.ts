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
    answer:
      'user: null = nobody is signed in. singleUser: whether there is no sign-in. storeReadOnly: whether nothing can be saved now.',
    open: true,
  },
  ({ actor }) => buildSessionInfo(actor),
);
export const POST = handle(
  {
    summary:
      'Sign in with a name and a password. Ten failed attempts per account and address in a quarter of an hour are the limit.',
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
    answer:
      'location: where the browser has to go to sign out at the identity provider, too (null = nowhere). The cookie is deleted.',
  },
  async ({ actor, request }) =>
    answerWithSession(request, null, { body: { location: await getProviderSignOutAddress(await signOut(actor)) } }),
);

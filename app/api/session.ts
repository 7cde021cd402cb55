import { confirmSignIn } from '@/lib/access/users/own-password';
import { signOut } from '@/lib/access/users/own-sessions';
import { beginProviderSignIn } from '@/lib/access/users/providers/begin-provider-sign-in';
import { finishProviderSignIn } from '@/lib/access/users/providers/finish-provider-sign-in';
import { listProviders } from '@/lib/access/users/providers/list-providers';
import { getProviderSignOutAddress } from '@/lib/access/users/providers/provider-sign-out-address';
import { signIn } from '@/lib/access/users/sign-in';
import { findLinkUser, useLink as openLink } from '@/lib/access/users/use-link';
import { buildSessionInfo } from '@/lib/http/access/session-info';
import { handle } from '@/lib/http/handle';
import { answerCallback, redirectToProvider } from '@/lib/http/provider-answers';
import { answerWithSession } from '@/lib/http/session-answer';
import { Credentials, LinkCheck, LinkUse, PasswordAgain } from '@/lib/model/accounts/accounts';
import { BeginProviderSignIn, CallbackQuery } from '@/lib/model/accounts/oidc';

export const sessionRoutes = [
  handle('GET /api/oidc', {
    summary: 'List the identity providers that people may sign in with.',
    answer: 'providers: id and label of each.',
    open: true,
    act: async () => ({ providers: listProviders() }),
  }),
  handle('POST /api/oidc/{id}', {
    summary:
      'Begin a sign-in at an identity provider, or (purpose=confirm) the confirmation that actions on production need.',
    answer: 'location: where the browser has to go. A cookie binds the attempt to this browser.',
    open: true,
    body: BeginProviderSignIn,
    act: ({ actor, id, body, from, request }) =>
      redirectToProvider(request, body.next, (asked) =>
        beginProviderSignIn(id, { ...asked, confirms: body.purpose === 'confirm', address: from.address }, actor),
      ),
  }),
  handle('GET /api/oidc/{id}/callback', {
    summary: 'Finishes a sign-in or a confirmation: the identity provider sends the browser here, with state and code.',
    answer:
      'A page that opens the wanted page at once (a sign-in sets the session cookie), or the sign-in page with the code of the error.',
    // A page instead of a redirect: see renderContinuePage in lib/http/provider-answers.ts.
    contentType: 'text/html',
    open: true,
    fromOtherSites: true,
    query: CallbackQuery,
    act: ({ actor, id, query, from, request }) =>
      answerCallback(request, id, (browserToken) =>
        finishProviderSignIn(id, { browserToken, parameters: query }, from, actor),
      ),
  }),
  handle('GET /api/session', {
    summary: 'Who is signed in, with role and grants.',
    answer:
      'user: null = nobody. singleUser: there is no sign-in. demo: this is the demo. storeReadOnly: nothing can be saved now.',
    open: true,
    act: ({ actor }) => buildSessionInfo(actor),
  }),
  handle('POST /api/session', {
    summary: 'Sign in. Ten failed attempts per account and address in a quarter of an hour are the limit.',
    answer: 'An empty object. The cookie of the session is set.',
    status: 201,
    open: true,
    body: Credentials,
    act: async ({ actor, body, from, request }) =>
      answerWithSession(request, await signIn(body, from, actor), { status: 201 }),
  }),
  handle('DELETE /api/session', {
    summary: 'Sign out: end the session of this request.',
    answer: 'location: where the browser signs out at the identity provider (null = nowhere). The cookie is deleted.',
    act: async ({ actor, request }) =>
      answerWithSession(request, null, { body: { location: await getProviderSignOutAddress(await signOut(actor)) } }),
  }),
  handle('POST /api/session/confirm', {
    summary: 'Enter the password again, which changes to production instances need: it counts for five minutes.',
    answer: 'An empty object.',
    body: PasswordAgain,
    act: async ({ actor, body, from }) => {
      await confirmSignIn(actor, body.password, from);
      return {};
    },
  }),
  handle('POST /api/welcome', {
    summary: 'Set a password with a one-time link, and sign in.',
    answer: 'An empty object. The cookie of the session is set.',
    status: 201,
    open: true,
    body: LinkUse,
    act: async ({ body, from, request }) => answerWithSession(request, await openLink(body, from), { status: 201 }),
  }),
  handle('POST /api/welcome/check', {
    summary: 'Whom a one-time link is for.',
    answer: 'name: of the user (null = the link creates the first administrator).',
    open: true,
    body: LinkCheck,
    act: async ({ body: { token } }) => ({ name: (await findLinkUser(token))?.name ?? null }),
  }),
];

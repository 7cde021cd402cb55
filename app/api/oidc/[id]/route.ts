import { beginProviderSignIn } from '@/lib/access/users/providers/begin-provider-sign-in';
import { handle, WithId } from '@/lib/http/handle';
import { redirectToProvider } from '@/lib/http/provider-answers';
import { BeginProviderSignIn } from '@/lib/model/accounts/oidc';

export const POST = handle(
  {
    summary:
      'Begin a sign-in at an identity provider, or (purpose=confirm) the confirmation that actions on production need.',
    answer: 'location: where the browser has to go. A cookie binds the attempt to this browser.',
    open: true,
    params: WithId,
    body: BeginProviderSignIn,
  },
  ({ actor, params, body, from, request }) =>
    redirectToProvider(request, body.next, (asked) =>
      beginProviderSignIn(params.id, { ...asked, confirms: body.purpose === 'confirm', address: from.address }, actor),
    ),
);

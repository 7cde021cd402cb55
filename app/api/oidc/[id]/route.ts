import { beginProviderSignIn } from '@/lib/access/users/providers/begin-provider-sign-in';
import { handle, WithId } from '@/lib/http/handle';
import { redirectToProvider } from '@/lib/http/provider-answers';
import { BeginProviderSignIn } from '@/lib/model/accounts/oidc';

export const POST = handle(
  {
    summary:
      'Begin to sign in at an identity provider; purpose confirm: show once more who you are, before acts on production.',
    answer: 'location: where the browser goes. A cookie binds the answer to this browser.',
    open: true,
    params: WithId,
    body: BeginProviderSignIn,
  },
  ({ actor, params, body, from, request }) =>
    redirectToProvider(request, body.next, (asked) =>
      beginProviderSignIn(params.id, { ...asked, confirms: body.purpose === 'confirm', address: from.address }, actor),
    ),
);

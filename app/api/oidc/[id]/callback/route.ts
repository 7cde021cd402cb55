import { finishProviderSignIn } from '@/lib/access/users/providers/finish-provider-sign-in';
import { handle, WithId } from '@/lib/http/handle';
import { answerCallback } from '@/lib/http/provider-answers';
import { CallbackQuery } from '@/lib/model/accounts/oidc';

export const GET = handle(
  {
    summary: 'Finishes a sign-in or a confirmation: the identity provider sends the browser here, with state and code.',
    answer:
      'A page that opens the wanted page at once (a sign-in sets the session cookie), or the sign-in page with the code of the error.',
    // A page instead of a redirect: see renderContinuePage in lib/http/provider-answers.ts.
    contentType: 'text/html',
    open: true,
    fromOtherSites: true,
    params: WithId,
    query: CallbackQuery,
  },
  ({ actor, params, query, from, request }) =>
    answerCallback(request, params.id, (browserToken) =>
      finishProviderSignIn(params.id, { browserToken, parameters: query }, from, actor),
    ),
);

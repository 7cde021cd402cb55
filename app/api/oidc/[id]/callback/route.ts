import { finishProviderSignIn } from '@/lib/access/users/providers/finish-provider-sign-in';
import { handle, WithId } from '@/lib/http/handle';
import { answerCallback } from '@/lib/http/provider-answers';
import { CallbackQuery } from '@/lib/model/accounts/oidc';

export const GET = handle(
  {
    summary: 'Where an identity provider sends the browser back to, with state and code.',
    answer: 'A page that leads on, with the cookie of the session.',
    contentType: 'text/html',
    open: true,
    navigated: true,
    params: WithId,
    query: CallbackQuery,
  },
  ({ actor, params, query, from, request }) =>
    answerCallback(request, params.id, (browserToken) =>
      finishProviderSignIn(params.id, { browserToken, parameters: query }, from, actor),
    ),
);

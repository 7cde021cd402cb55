import { changePassword } from '@/lib/access/users/own-password';
import { listOwnSessions, revokeOwnSession } from '@/lib/access/users/own-sessions';
import { createToken, listTokens, revokeToken } from '@/lib/access/users/tokens';
import { handle } from '@/lib/http/handle';
import { answerWithSession } from '@/lib/http/session-answer';
import { PasswordChange } from '@/lib/model/accounts/accounts';
import { ApiTokenInput } from '@/lib/model/accounts/api-tokens';

export const accountRoutes = [
  handle('PUT /api/account/password', {
    summary: 'Change your password. Every other session of yours ends.',
    answer: 'An empty object. The cookie of a new session is set.',
    body: PasswordChange,
    act: async ({ actor, body, from, request }) => answerWithSession(request, await changePassword(actor, body, from)),
  }),
  handle('GET /api/account/sessions', {
    summary: 'List your sessions, last used first.',
    answer: 'sessions: when and where each began and was last used; current marks the one of this request.',
    act: async ({ actor }) => ({ sessions: await listOwnSessions(actor) }),
  }),
  handle('DELETE /api/account/sessions/{id}', {
    summary: 'End one of your sessions.',
    answer: 'id: the session that has ended.',
    act: ({ actor, id }) => revokeOwnSession(actor, id),
  }),
  handle('GET /api/tokens', {
    summary:
      'List your API tokens, with when and from where each was last used; administrators see all. A token may not do this.',
    answer: 'tokens: by name, without their text.',
    act: async ({ actor }) => ({ tokens: await listTokens(actor) }),
  }),
  handle('POST /api/tokens', {
    summary: 'Create an API token, which never may do more than its user. A token may not do this.',
    answer: 'token: the token. secret: its text, which is shown only here.',
    body: ApiTokenInput,
    status: 201,
    act: ({ actor, body }) => createToken(actor, body),
  }),
  handle('DELETE /api/tokens/{id}', {
    summary: 'Revoke an API token of yours; administrators may revoke any. A token may not do this.',
    answer: 'id: the token that was revoked.',
    act: ({ actor, id }) => revokeToken(actor, id),
  }),
];

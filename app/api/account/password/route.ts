import { changePassword } from '@/lib/access/users/change-password';
import { handle } from '@/lib/http/handle';
import { answerWithSession } from '@/lib/http/session-answer';
import { PasswordChange } from '@/lib/model/accounts/accounts';

export const PUT = handle(
  {
    summary: 'Change your password. Every other session of yours ends.',
    answer: 'An empty object. The cookie of a new session is set.',
    body: PasswordChange,
  },
  async ({ actor, body, from, request }) => answerWithSession(request, await changePassword(actor, body, from)),
);

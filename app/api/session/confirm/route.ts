import { confirmSignIn } from '@/lib/access/users/confirm-sign-in';
import { handle } from '@/lib/http/handle';
import { PasswordAgain } from '@/lib/model/accounts/accounts';

export const POST = handle(
  {
    summary: 'Enter the password again, which changes to production instances need: it counts for five minutes.',
    answer: 'An empty object.',
    body: PasswordAgain,
  },
  async ({ actor, body, from }) => {
    await confirmSignIn(actor, body.password, from);
    return {};
  },
);

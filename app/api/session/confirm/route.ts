import { handle } from '@/lib/http/handle';
import { PasswordAgain } from '@/lib/model/accounts/accounts';
import { confirmSignIn } from '@/lib/users/confirm-sign-in';

export const POST = handle({ body: PasswordAgain }, async ({ actor, body, from }) => {
  await confirmSignIn(actor, body.password, from);
  return {};
});

import { createToken } from '@/lib/access/users/create-token';
import { listTokens } from '@/lib/access/users/list-tokens';
import { handle } from '@/lib/http/handle';
import { ApiTokenInput } from '@/lib/model/accounts/api-tokens';

export const GET = handle(
  {
    summary: 'Your API tokens, last used when and from where; for administrators everybody’s. Not with a token.',
    answer: 'tokens.',
  },
  async ({ actor }) => ({
    tokens: await listTokens(actor),
  }),
);
export const POST = handle(
  {
    summary: 'A new API token of yours, which never does more than you may. Not with a token.',
    answer: 'The token, and secret: its text, which is shown only here.',
    body: ApiTokenInput,
    status: 201,
  },
  ({ actor, body }) => createToken(actor, body),
);

import { createToken } from '@/lib/access/users/create-token';
import { listTokens } from '@/lib/access/users/list-tokens';
import { handle } from '@/lib/http/handle';
import { ApiTokenInput } from '@/lib/model/accounts/api-tokens';

export const GET = handle(
  {
    summary:
      'List your API tokens, with when and from where each was last used; administrators see all. A token may not do this.',
    answer: 'tokens: by name, without their text.',
  },
  async ({ actor }) => ({
    tokens: await listTokens(actor),
  }),
);
export const POST = handle(
  {
    summary: 'Create an API token, which never may do more than its user. A token may not do this.',
    answer: 'token: the token. secret: its text, which is shown only here.',
    body: ApiTokenInput,
    status: 201,
  },
  ({ actor, body }) => createToken(actor, body),
);

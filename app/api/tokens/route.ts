import { handle } from '@/lib/http/handle';
import { ApiTokenInput } from '@/lib/model/accounts/api-tokens';
import { createToken } from '@/lib/users/create-token';
import { listTokens } from '@/lib/users/list-tokens';

export const GET = handle({}, async ({ actor }) => ({ tokens: await listTokens(actor) }));

export const POST = handle({ body: ApiTokenInput, status: 201 }, ({ actor, body }) => createToken(actor, body));

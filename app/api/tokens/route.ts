import { inFormat } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { ApiTokenInput } from '@/lib/model/accounts/api-tokens';
import { FileQuery } from '@/lib/model/reports/file-query';
import { createToken } from '@/lib/users/create-token';
import { exportTokens } from '@/lib/users/export/export-tokens';
import { listTokens } from '@/lib/users/list-tokens';

export const GET = handle({ query: FileQuery }, ({ actor, query: { format }, ...asked }) => {
  const list = async () => ({ tokens: await listTokens(actor) });
  return inFormat(asked, format, list, (shape) => exportTokens(actor, shape));
});
export const POST = handle({ body: ApiTokenInput, status: 201 }, ({ actor, body }) => createToken(actor, body));

import { handle } from '@/lib/http/handle';
import { checkNames, NamesToCheck } from '@/lib/policies/check-names';

export const POST = handle({ body: NamesToCheck }, async ({ actor, body }) => ({
  verdicts: await checkNames(actor, body),
}));

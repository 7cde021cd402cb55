import { handle } from '@/lib/http/handle';
import { checkNames, NamesToCheck } from '@/lib/policies/check-names';

export const POST = handle(
  {
    summary: 'Check up to 1000 names against a profile.',
    answer: 'verdicts: one for each name, in the order of the names.',
    body: NamesToCheck,
  },
  async ({ actor, body }) => ({
    verdicts: await checkNames(actor, body),
  }),
);

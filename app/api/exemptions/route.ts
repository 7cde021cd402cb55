import { handle } from '@/lib/http/handle';
import { ListQuery } from '@/lib/model/reports/file-query';
import { ExemptionInput } from '@/lib/model/rules/policy';
import { addExemption, listExemptions } from '@/lib/policies/exemptions';

export const GET = handle(
  {
    summary: 'List exemptions: findings that are accepted until a date.',
    answer: 'exemptions: all of them, or those that apply to one instance.',
    query: ListQuery,
  },
  async ({ actor, query: { instanceId = null } }) => ({
    exemptions: await listExemptions(actor, instanceId),
  }),
);
export const POST = handle(
  {
    summary: 'Add an exemption.',
    answer: 'exemption: the exemption that was added.',
    body: ExemptionInput,
    status: 201,
  },
  async ({ actor, body }) => ({
    exemption: await addExemption(actor, body),
  }),
);

import { handle, WithId as params } from '@/lib/http/handle';
import { ExemptionInput } from '@/lib/model/rules/policy';
import { removeExemption, updateExemption } from '@/lib/policies/exemptions';

export const PUT = handle(
  { summary: 'Change an exemption.', answer: 'exemption: the exemption as it is now.', params, body: ExemptionInput },
  async ({ actor, params: { id }, body }) => ({
    exemption: await updateExemption(actor, id, body),
  }),
);
export const DELETE = handle(
  { summary: 'Delete an exemption.', answer: 'id: the exemption that was deleted.', params },
  ({ actor, params: { id } }) => removeExemption(actor, id),
);

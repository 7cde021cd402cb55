import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ExemptionInput } from '@/lib/model/rules/policy';
import { removeExemption, updateExemption } from '@/lib/policies/exemptions';

const params = z.object({ id: Id });

export const PUT = handle(
  { summary: 'Change an exemption.', answer: 'exemption', params, body: ExemptionInput },
  async ({ actor, params: { id }, body }) => ({
    exemption: await updateExemption(actor, id, body),
  }),
);
export const DELETE = handle({ summary: 'Delete an exemption.', answer: 'id', params }, ({ actor, params: { id } }) =>
  removeExemption(actor, id),
);

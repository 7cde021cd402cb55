import { handle, WithId as params } from '@/lib/http/handle';
import { ChecklistInput } from '@/lib/model/rules/policy';
import { getChecklist, setChecklistItem } from '@/lib/policies/checklist';

export const GET = handle(
  {
    summary: 'The rules that only people can answer, with their answers.',
    answer: 'items.',
    params,
  },
  async ({ actor, params: { id } }) => ({
    items: await getChecklist(actor, id),
  }),
);
export const PUT = handle(
  { summary: 'Answer one rule of the checklist.', answer: 'item', params, body: ChecklistInput },
  async ({ actor, params: { id }, body }) => ({
    item: await setChecklistItem(actor, id, body),
  }),
);

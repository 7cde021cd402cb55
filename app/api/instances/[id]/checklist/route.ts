import { handle, WithId as params } from '@/lib/http/handle';
import { ChecklistInput } from '@/lib/model/rules/policy';
import { getChecklist, setChecklistItem } from '@/lib/policies/checklist';

export const GET = handle(
  {
    summary: 'List the rules of the profile of an instance that only people can answer, with their answers.',
    answer: 'items: each rule with its answer, or as open.',
    params,
  },
  async ({ actor, params: { id } }) => ({
    items: await getChecklist(actor, id),
  }),
);
export const PUT = handle(
  {
    summary: 'Answer one rule of the checklist of an instance.',
    answer: 'item: the rule with its answer.',
    params,
    body: ChecklistInput,
  },
  async ({ actor, params: { id }, body }) => ({
    item: await setChecklistItem(actor, id, body),
  }),
);

import { inFormat } from '@/app/api/in-format';
import { handle, WithId as params } from '@/lib/http/handle';
import { FileQuery as query } from '@/lib/model/reports/file-query';
import { ChecklistInput } from '@/lib/model/rules/policy';
import { getChecklist, setChecklistItem } from '@/lib/policies/checklist';
import { exportChecklist } from '@/lib/policies/export-policy';

export const GET = handle(
  {
    summary: 'The rules that only people can answer, with their answers.',
    answer: 'items, or the file.',
    params,
    query,
  },
  ({ actor, params: { id }, query: { format }, ...asked }) => {
    const list = async () => ({ items: await getChecklist(actor, id) });
    return inFormat(asked, format, list, (shape) => exportChecklist(actor, id, shape));
  },
);
export const PUT = handle(
  { summary: 'Answer one rule of the checklist.', answer: 'item', params, body: ChecklistInput },
  async ({ actor, params: { id }, body }) => ({
    item: await setChecklistItem(actor, id, body),
  }),
);

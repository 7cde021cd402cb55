import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ChecklistInput } from '@/lib/model/rules/policy';
import { getChecklist, setChecklistItem } from '@/lib/policies/checklist';

const params = z.object({ id: Id });

export const GET = handle({ params }, async ({ actor, params: { id } }) => ({ items: await getChecklist(actor, id) }));
export const PUT = handle({ params, body: ChecklistInput }, async ({ actor, params: { id }, body }) => ({
  item: await setChecklistItem(actor, id, body),
}));

import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { listViews, saveView } from '@/lib/instances/views/saved-views';
import { SavedViewInput } from '@/lib/model/saved-view';

const params = z.object({ id: Id });

export const GET = handle(
  { summary: 'Saved views of an instance: one’s own and the shared ones.', answer: 'views', params },
  async ({ actor, params: { id } }) => ({ views: await listViews(actor, id) }),
);
export const POST = handle(
  {
    summary: 'Save how a page of an instance is looked at; shared: for all who may see it (operator).',
    answer: 'view',
    params,
    body: SavedViewInput,
    status: 201,
  },
  async ({ actor, params: { id }, body }) => ({
    view: await saveView(actor, id, body),
  }),
);

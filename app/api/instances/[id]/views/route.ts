import { handle, WithId as params } from '@/lib/http/handle';
import { listViews, saveView } from '@/lib/instances/views/saved-views';
import { SavedViewInput } from '@/lib/model/saved-view';

export const GET = handle(
  {
    summary: 'List the saved views of an instance: your own and the shared ones.',
    answer: 'views: each with its page, its name and whose it is.',
    params,
  },
  async ({ actor, params: { id } }) => ({ views: await listViews(actor, id) }),
);
export const POST = handle(
  {
    summary:
      'Save a view: the filter, order and columns of a page of an instance. A shared view is visible to everyone who may see the instance; only operators may share.',
    answer: 'view: the view that was saved.',
    params,
    body: SavedViewInput,
    status: 201,
  },
  async ({ actor, params: { id }, body }) => ({
    view: await saveView(actor, id, body),
  }),
);

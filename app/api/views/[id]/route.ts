import { handle, WithId as params } from '@/lib/http/handle';
import { getView, removeView, updateView } from '@/lib/instances/views/saved-views';
import { SavedViewUpdate } from '@/lib/model/saved-view';

export const GET = handle(
  { summary: 'One saved view.', answer: 'view: its page, its name, and what it shows.', params },
  async ({ actor, params: { id } }) => ({ view: await getView(actor, id) }),
);
export const PATCH = handle(
  {
    summary: 'Rename a saved view, share it or stop sharing it, or change what it shows.',
    answer: 'view: the view as it is now.',
    params,
    body: SavedViewUpdate,
  },
  async ({ actor, params: { id }, body }) => ({
    view: await updateView(actor, id, body),
  }),
);
export const DELETE = handle(
  { summary: 'Remove a saved view.', answer: 'id: the view that was removed.', params },
  ({ actor, params: { id } }) => removeView(actor, id),
);

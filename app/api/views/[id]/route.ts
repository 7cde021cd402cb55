import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { getView, removeView, updateView } from '@/lib/instances/views/saved-views';
import { SavedViewUpdate } from '@/lib/model/saved-view';

const params = z.object({ id: Id });

export const GET = handle(
  { summary: 'One saved view.', answer: 'view', params },
  async ({ actor, params: { id } }) => ({ view: await getView(actor, id) }),
);
export const PATCH = handle(
  {
    summary: 'Rename a saved view, share it or stop sharing it, or have it show something else.',
    answer: 'view',
    params,
    body: SavedViewUpdate,
  },
  async ({ actor, params: { id }, body }) => ({
    view: await updateView(actor, id, body),
  }),
);
export const DELETE = handle({ summary: 'Remove a saved view.', answer: 'id', params }, ({ actor, params: { id } }) =>
  removeView(actor, id),
);

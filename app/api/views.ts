import { handle } from '@/lib/http/handle';
import { getView, listViews, removeView, saveView, updateView } from '@/lib/instances/views/saved-views';
import { SavedViewInput, SavedViewUpdate } from '@/lib/model/saved-view';

export const viewRoutes = [
  handle('GET /api/instances/{id}/views', {
    summary: 'List the saved views of an instance: your own and the shared ones.',
    answer: 'views: each with its page, its name and whose it is.',
    act: async ({ actor, id }) => ({ views: await listViews(actor, id) }),
  }),
  handle('POST /api/instances/{id}/views', {
    summary:
      'Save a view: the filter, order and columns of a page of an instance. A shared view is visible to everyone who may see the instance; only operators may share.',
    answer: 'view: the view that was saved.',
    body: SavedViewInput,
    status: 201,
    act: async ({ actor, id, body }) => ({ view: await saveView(actor, id, body) }),
  }),
  handle('GET /api/views/{id}', {
    summary: 'One saved view.',
    answer: 'view: its page, its name, and what it shows.',
    act: async ({ actor, id }) => ({ view: await getView(actor, id) }),
  }),
  handle('PATCH /api/views/{id}', {
    summary: 'Rename a saved view, share it or stop sharing it, or change what it shows.',
    answer: 'view: the view as it is now.',
    body: SavedViewUpdate,
    act: async ({ actor, id, body }) => ({ view: await updateView(actor, id, body) }),
  }),
  handle('DELETE /api/views/{id}', {
    summary: 'Remove a saved view.',
    answer: 'id: the view that was removed.',
    act: ({ actor, id }) => removeView(actor, id),
  }),
];

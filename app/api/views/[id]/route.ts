import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { SavedViewUpdate } from '@/lib/model/saved-view';
import { getView, removeView, updateView } from '@/lib/views/saved-views';

const params = z.object({ id: Id });

export const GET = handle({ params }, async ({ actor, params: { id } }) => ({ view: await getView(actor, id) }));
export const PATCH = handle({ params, body: SavedViewUpdate }, async ({ actor, params: { id }, body }) => ({
  view: await updateView(actor, id, body),
}));
export const DELETE = handle({ params }, ({ actor, params: { id } }) => removeView(actor, id));

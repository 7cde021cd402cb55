import { z } from 'zod';
import { listItemsPage } from '@/lib/deletions/list-items';
import { handle, Id } from '@/lib/http/handle';
import { ItemQuery } from '@/lib/model/deletions/deletion-item';

export const GET = handle({ params: z.object({ id: Id }), query: ItemQuery }, ({ actor, params: { id }, query }) =>
  listItemsPage(actor, id, query),
);

import { SavedViewInput, SavedViewUpdate } from '@/lib/model/saved-view';
import type { Operation } from './openapi-operation';

const path = '/api/views/{id}';

/** How pages of an instance were looked at, under a name. */
export const VIEW_ROUTES: Operation[] = [
  {
    method: 'get',
    path: '/api/instances/{id}/views',
    summary: 'Saved views of an instance: one’s own and the shared ones.',
    answer: 'views',
  },
  {
    method: 'post',
    path: '/api/instances/{id}/views',
    summary: 'Save how a page of an instance is looked at; shared: for all who may see it (operator).',
    answer: 'view',
    status: 201,
    body: SavedViewInput,
  },
  { method: 'get', path, summary: 'One saved view.', answer: 'view' },
  {
    method: 'patch',
    path,
    summary: 'Rename a saved view, share it or stop sharing it, or have it show something else.',
    answer: 'view',
    body: SavedViewUpdate,
  },
  { method: 'delete', path, summary: 'Remove a saved view.', answer: 'id' },
];

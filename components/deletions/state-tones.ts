import type { BadgeTone } from '@/components/ui/badge';
import type { ItemState } from '@/lib/model/deletions/item-states';

/** The colours of states. Red: a person is needed. Yellow: the deletion no longer works on the key. */
export const STATE_TONES: Partial<Record<ItemState, BadgeTone>> = {
  done: 'success',
  undone: 'accent',
  draining: 'accent',
  restoring: 'accent',
  quarantined: 'accent',
  needs_review: 'danger',
  failed: 'danger',
  aborted: 'warning',
  vanished: 'warning',
  given_up: 'warning',
};

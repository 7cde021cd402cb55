import type { BadgeTone } from '@/components/ui/badge';
import type { ItemState } from '@/lib/model/deletions/item-states';

/** Colours that draw attention: a red key needs a person; on a yellow key the deletion has stopped working. */
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

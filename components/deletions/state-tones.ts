import type { BadgeTone } from '@/components/ui/badge';
import type { ItemState } from '@/lib/model/deletions/item-states';

/** Colours that draw attention: red needs a person, yellow was left unchanged. */
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

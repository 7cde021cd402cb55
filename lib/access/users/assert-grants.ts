import type { Grant } from '@/lib/model/access';
import { AppError } from '@/lib/model/errors';

/** Checks that there is only one role for each thing. Errors: `bad_request`. */
export function assertGrants(grants: readonly Grant[]): void {
  const names = grants.map(({ kind, value }) => `${kind} ${value}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new AppError('bad_request', `There are two grants for ${twice}. Keep one.`, { field: 'grants' });
}

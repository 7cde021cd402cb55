import type { Grant } from '@/lib/model/access';

/** As the command line takes grants (`--grant`), so that what a file says can be given again. */
export const grantsText = (grants: readonly Grant[]): string =>
  grants.map(({ kind, value, role }) => `${kind}:${value}=${role}`).join(', ');

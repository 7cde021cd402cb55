import type { Grant } from '@/lib/model/access';

/** Formats grants as the command line takes them (`--grant`), so that the text can be used there. */
export const grantsText = (grants: readonly Grant[]): string =>
  grants.map(({ kind, value, role }) => `${kind}:${value}=${role}`).join(', ');

import { setTimeout as wait } from 'node:timers/promises';
import { CommandFailed, EXIT } from '@/cli/exit';
import type { ComparedGroups, Comparison } from '@/lib/model/comparison/comparison';
import { EXCHANGE_LIMITS } from './exchange';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

const POLL_MS = 1000;
/** Largest groups that are printed. */
const SHOWN_GROUPS = 1000;

/** Returns the comparison of two snapshots of a server, once it has compared keys and findings. */
export async function readServerComparison(
  access: ServerAccess,
  { now, before }: { now: string; before: string },
  scope: { prefix?: string; template?: string },
): Promise<Comparison & { prefixes: ComparedGroups['rows'] }> {
  const limits = { forMs: EXCHANGE_LIMITS.reportMs, ms: EXCHANGE_LIMITS.reportMs };
  const until = performance.now() + EXCHANGE_LIMITS.reportMs;
  const query = { with: before, ...scope };
  for (;;) {
    const answer = await keepAsking(access, 'GET /api/snapshots/{id}/compare', { id: now, query }, limits);
    if (answer.keys !== null && answer.rules !== null) {
      const asked = { id: now, query: { ...query, limit: SHOWN_GROUPS } };
      const { rows } = await keepAsking(access, 'GET /api/snapshots/{id}/compare/groups', asked, limits);
      return { ...answer, prefixes: rows } as unknown as Awaited<ReturnType<typeof readServerComparison>>;
    }
    if (performance.now() > until)
      throw new CommandFailed('The server is still comparing these snapshots. Try again later.', EXIT.failed);
    await wait(POLL_MS);
  }
}

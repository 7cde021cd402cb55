import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { checkAuditOutput } from '@/lib/access/audit-log/audit-output-mark';
import { handle } from '@/lib/http/handle';
import { toJsonResponse } from '@/lib/http/respond';
import { checkHealth } from '@/lib/jobs/health';
import { collectMetrics } from '@/lib/jobs/metrics';
import { roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

export const monitoringRoutes = [
  handle('GET /api/health', {
    summary: 'Check whether the process is alive; deep=1 also checks database, data folder and engine.',
    answer: 'ok: whether everything works. With deep=1 also the result of each check, and status 503 if one fails.',
    open: true,
    query: z.object({ deep: z.enum(['0', '1']).default('0') }),
    act: async ({ actor, query: { deep }, request }) => {
      if (deep === '0') return { ok: true };
      requireMonitor(request, actor);
      const health = { ...(await checkHealth()), auditOutput: await checkAuditOutput() };
      return toJsonResponse(health, health.ok ? 200 : 503);
    },
  }),
  handle('GET /metrics', {
    summary: 'Metrics for Prometheus, with a token or signed in.',
    answer: 'Prometheus text.',
    contentType: 'text/plain',
    open: true,
    act: async ({ actor, request }) => {
      requireMonitor(request, actor);
      const { text, contentType } = await collectMetrics();
      return new Response(text, { headers: { 'content-type': contentType } });
    },
  }),
];

const computeDigest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Allows metrics and the deep health check for clients with the token and for people who may see every instance. In
 * single-user mode without a token, listening on loopback is enough. The origin of a request cannot be used, because
 * clients can write the headers that state it.
 */
function requireMonitor(request: Request, actor: Actor): void {
  if (!config.singleUser && roleAllows(actor.role, 'instance.read')) return;
  const token = config.metricsToken?.reveal();
  if (token === undefined) {
    if (config.singleUser && config.listensOnLoopback) return;
    throw new AppError('forbidden', 'Set COLONNADE_METRICS_TOKEN to read this without signing in.');
  }
  const given = request.headers.get('authorization')?.match(/^Bearer (.+)$/i)?.[1] ?? '';
  if (!timingSafeEqual(computeDigest(given), computeDigest(token)))
    throw new AppError('forbidden', 'This needs the header Authorization: Bearer <COLONNADE_METRICS_TOKEN>.');
}

import { z } from 'zod';
import { checkAuditOutput } from '@/lib/access/audit-log/audit-output-mark';
import { handle } from '@/lib/http/handle';
import { requireMonitor } from '@/lib/http/require-monitor';
import { toJsonResponse } from '@/lib/http/respond';
import { checkHealth } from '@/lib/jobs/health';
import { collectMetrics } from '@/lib/jobs/metrics';

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

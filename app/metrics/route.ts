import { handle } from '@/lib/http/handle';
import { requireMonitor } from '@/lib/http/require-monitor';
import { collectMetrics } from '@/lib/jobs/metrics';

export const GET = handle(
  {
    summary: 'Metrics for Prometheus, with a token or signed in.',
    answer: 'Prometheus text.',
    contentType: 'text/plain',
    open: true,
  },
  async ({ actor, request }) => {
    requireMonitor(request, actor);
    const { text, contentType } = await collectMetrics();
    return new Response(text, { headers: { 'content-type': contentType } });
  },
);

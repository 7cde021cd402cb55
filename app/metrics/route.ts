import { handle } from '@/lib/http/handle';
import { requireMetricsToken } from '@/lib/http/metrics-token';
import { metricsText } from '@/lib/jobs/metrics';

export const GET = handle({}, async ({ request }) => {
  requireMetricsToken(request);
  const { text, contentType } = await metricsText();
  return new Response(text, { headers: { 'content-type': contentType } });
});

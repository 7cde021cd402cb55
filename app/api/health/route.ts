import { z } from 'zod';
import { handle } from '@/lib/http/handle';
import { jsonResponse } from '@/lib/http/respond';
import { deepHealth } from '@/lib/jobs/health';

export const GET = handle({ query: z.object({ deep: z.enum(['0', '1']).default('0') }) }, async ({ query }) => {
  if (query.deep === '0') return { ok: true };
  const health = await deepHealth();
  return jsonResponse(health, health.ok ? 200 : 503);
});

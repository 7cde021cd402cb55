import { createHash, timingSafeEqual } from 'node:crypto';
import { config } from '@/lib/config';
import { AppError } from '@/lib/model/errors';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Open while the server listens on loopback only; otherwise asked for. Where a request came from cannot be known here:
 * the headers that say so are the client's to write.
 */
export function requireMetricsToken(request: Request): void {
  const token = config.metricsToken?.reveal();
  if (token === undefined) {
    if (config.listensOnLoopback) return;
    throw new AppError(
      'forbidden',
      'Set COLONNADE_METRICS_TOKEN to read the metrics of a server that others can reach.',
    );
  }
  const given = request.headers.get('authorization')?.match(/^Bearer (.+)$/i)?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new AppError('forbidden', 'The metrics need the header Authorization: Bearer <COLONNADE_METRICS_TOKEN>.');
}

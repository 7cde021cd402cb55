import { API_TOKEN } from '@/lib/model/accounts/api-tokens';

/**
 * The API token behind `Authorization: Bearer`, by its form; null = none. Whoever sends one is known by it alone, right
 * or wrong: no cookie counts beside it. No browser sends it by itself, and a foreign page may not. What has another
 * form is for others (a proxy in front, the metrics) and says nothing here.
 */
export function apiTokenOf(headers: { get: (name: string) => string | null }): string | null {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return API_TOKEN.test(token) ? token : null;
}

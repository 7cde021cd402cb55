import { API_TOKEN } from '@/lib/model/accounts/api-tokens';

/**
 * The API token after `Authorization: Bearer`, recognised by its form; null = none. A request with a token is
 * authenticated by it alone, valid or not; its cookies are ignored. Browsers do not send the header on their own, and
 * pages of other sites may not set it. A value of another form is meant for others (a proxy, the metrics) and ignored
 * here.
 */
export function readBearerToken(headers: { get: (name: string) => string | null }): string | null {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return API_TOKEN.test(token) ? token : null;
}

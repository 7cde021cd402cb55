import { askApi } from '@/test/access/ask-api';
import { Walker } from '@/test/servers/walk-to-provider';

export const ORIGIN = 'http://127.0.0.1:3999';
const HOST = '127.0.0.1:3999';

interface Answer {
  status: number;
  body: string;
  code: string | null;
}

/** A browser that uses Colonnade and the provider `id` of its settings, with separate cookies for both. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly walker = new Walker();

  constructor(public id = 'corp') {}

  async ask(
    name: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { host: HOST, origin: ORIGIN, cookie, 'content-type': 'application/json', 'x-colonnade': '1' };
    const response = await askApi(name, { body, headers: { ...own, ...headers } });
    for (const given of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    const code = text.startsWith('{"error"') ? JSON.parse(text).error.code : null;
    return { status: response.status, body: text, code };
  }

  async begin(asked: { next?: string; purpose?: 'sign-in' | 'confirm' } = {}): Promise<string> {
    const { body, code } = await this.ask(`POST /api/oidc/${this.id}`, { body: asked });
    if (code !== null) throw Object.assign(new Error(code), { code });
    return JSON.parse(body).location as string;
  }

  /** Returns the address that the provider redirects to, without opening it. */
  async walk(location: string, login: string): Promise<URL> {
    return this.walker.walk(location, login, `${ORIGIN}/api/oidc/${this.id}/callback`);
  }

  /** Opens the address that the provider redirects to; returns the path that Colonnade redirects to. */
  async comeBack(back: URL): Promise<string> {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const { body } = await this.ask(`GET ${back.pathname}${back.search}`, { headers });
    const [, path = body] = /content="0;url=([^"]*)"/.exec(body) ?? [];
    return path.replaceAll(/&#(\d+);/g, (_all, sign) => String.fromCharCode(Number(sign)));
  }

  async signIn(login: string, next?: string): Promise<string> {
    return this.comeBack(await this.walk(await this.begin(next === undefined ? {} : { next }), login));
  }

  async confirm(login: string): Promise<string> {
    return this.comeBack(await this.walk(await this.begin({ purpose: 'confirm' }), login));
  }

  async who(): Promise<{
    id: string;
    name: string;
    role: string;
    provider: string | null;
    confirmedAt: number;
  } | null> {
    const { body } = await this.ask('GET /api/session');
    return JSON.parse(body).user;
  }

  async leave(): Promise<string | null> {
    return JSON.parse((await this.ask('DELETE /api/session')).body).location;
  }
}

export const problem = (path: string): string | null => new URL(path, ORIGIN).searchParams.get('problem');

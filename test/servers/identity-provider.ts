import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

interface Asked {
  oidc: {
    client: { clientId: string };
    session: { accountId: string; grantIdFor(clientId: string): string | undefined };
  };
}
export interface Person {
  name?: string;
  groups?: string[];
}

/**
 * A real OpenID provider in the process of a test. Its sign-in page accepts any known name. `tamper` changes what it
 * answers, so that a token is wrong in one detail and right in all others; its keys can change while it runs.
 */
export class IdentityProvider {
  readonly people = new Map<string, Person>();
  readonly clientSecret = randomBytes(24).toString('base64url');
  /** Changes claims of the ID token, which is then signed again with the provider's own key. */
  tamper: ((claims: Record<string, unknown>) => void) | null = null;
  /** Changes the discovery document. */
  announce: ((document: Record<string, unknown>) => void) | null = null;
  /** Answers instead of the provider. Returns true if it has answered, or if no answer is to be sent at all. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
  readonly asked: string[] = [];
  /** The key that it signs with now; null = its first key. */
  private key: JsonWebKey | null = null;
  private readonly provider: Provider;
  private readonly handler: (request: IncomingMessage, response: ServerResponse) => void;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    callback: string,
    authTime: boolean,
  ) {
    this.provider = this.made(callback, authTime);
    this.handler = this.provider.callback();
  }

  /**
   * `origin` is the origin of the Colonnade that users return to, `id` the name that it uses for this provider,
   * `authTime` whether the provider says when somebody signed in.
   */
  static async start({
    origin,
    id = 'corp',
    authTime = true,
  }: {
    origin: string;
    id?: string;
    authTime?: boolean;
  }): Promise<IdentityProvider> {
    const server = createServer((request, response) => void made.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const made = new IdentityProvider(server, issuer, `${origin}/api/oidc/${id}/callback`, authTime);
    return made;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /**
   * Rotates keys as an administrator of the provider would: from now on it signs with another key and publishes only
   * that one.
   */
  rotateKeys(): void {
    this.key = newKey();
  }

  private made(callback: string, authTime: boolean): Provider {
    const first = newKey();
    const person = (id: string) => this.people.get(id) ?? {};
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: 'colonnade',
          client_secret: this.clientSecret,
          redirect_uris: [callback],
          post_logout_redirect_uris: [new URL('/sign-in', callback).href],
          grant_types: ['authorization_code'],
          response_types: ['code'],
          require_auth_time: authTime,
        },
      ],
      jwks: { keys: [first] },
      cookies: { keys: ['only for tests'] },
      claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_ctx: unknown, id: string) =>
        this.people.has(id)
          ? {
              accountId: id,
              claims: () => ({ sub: id, preferred_username: person(id).name ?? id, groups: person(id).groups ?? [] }),
            }
          : undefined,
      // The user is not asked for consent to pass on the groups.
      loadExistingGrant: async ({ oidc: { client, session } }: Asked) => {
        const before = session.grantIdFor(client.clientId);
        if (before !== undefined) return provider.Grant.find(before);
        const grant = new provider.Grant({
          clientId: client.clientId,
          accountId: session.accountId,
        });
        grant.addOIDCScope('openid profile groups');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (ctx, next) => {
      await next();
      if (ctx.path === '/token' && typeof ctx.body?.id_token === 'string')
        ctx.body.id_token = signed(ctx.body.id_token, this.key ?? first, this.tamper);
      if (ctx.path === '/jwks' && this.key) ctx.body = { keys: [publicPart(this.key)] };
      if (ctx.path === '/.well-known/openid-configuration' && this.announce) this.announce(ctx.body);
    });
    return provider;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method } = request;
    this.asked.push(`${method} ${url.split('?')[0]}`);
    if (this.instead?.(request, response)) return;
    if (!url.startsWith('/interaction/')) return this.handler(request, response);
    if (method === 'GET') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        '<!doctype html><html lang="en"><title>Provider</title><form method="post"><label>Login <input name="login" autofocus></label><button>Continue</button></form></html>',
      );
      return;
    }
    let body = '';
    for await (const part of request) body += part;
    const accountId = new URLSearchParams(body).get('login') ?? '';
    await this.provider.interactionFinished(request, response, { login: { accountId } });
  }
}

function newKey(): JsonWebKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(6).toString('hex'), alg: 'RS256', use: 'sig' };
}
const publicPart = ({ kty, n, e, kid, alg, use }: JsonWebKey) => ({ kty, n, e, kid, alg, use });

function signed(token: string, key: JsonWebKey, tamper: IdentityProvider['tamper']): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  tamper?.(claims);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', kid: key.kid })}.${part(claims)}`;
  const by = createPrivateKey({ key, format: 'jwk' });
  return `${text}.${sign('sha256', Buffer.from(text), by).toString('base64url')}`;
}

/** Declares what the tests use of the package, which has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Context {
    path: string;
    body: Record<string, unknown>;
    oidc?: { session?: { accountId?: string } };
  }
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ prompt: { name: string } }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: unknown): Promise<void>;
    Grant: {
      new (of: { clientId: string; accountId: string }): { addOIDCScope(scope: string): void; save(): Promise<string> };
      find(id: string): Promise<unknown>;
    };
  }
}

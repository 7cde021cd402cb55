import type { SoakServer } from './soak-server';

interface SoakTotals {
  requests: number;
  /** How many of these failed at a moment at which no fault explains it. */
  errors: number;
  /** Sentences. */
  broken: string[];
  failures: Map<string, number>;
}
export const newTotals = (): SoakTotals => ({
  requests: 0,
  errors: 0,
  broken: [],
  failures: new Map(),
});

export interface Person {
  name: string;
  cookie: string;
  address: string;
}
export interface Answer {
  status: number;
  text: string;
}

/** Requests as a browser of a person sends them; status 0: nobody answered. */
export class SoakClient {
  constructor(
    readonly server: SoakServer,
    readonly totals: SoakTotals,
  ) {}

  async send(person: Person | null, method: string, path: string, body?: unknown): Promise<Answer> {
    this.totals.requests++;
    const headers: Record<string, string> = {
      origin: this.server.origin,
      'x-colonnade': '1',
      'content-type': 'application/json',
      'x-forwarded-for': person?.address ?? '10.1.0.1',
      ...(person && { cookie: person.cookie }),
    };
    const given = method === 'GET' ? undefined : JSON.stringify(body ?? {});
    const init = { method, headers, redirect: 'manual', signal: AbortSignal.timeout(60_000) } as const;
    return await fetch(`${this.server.origin}${path}`, { ...init, ...(given && { body: given }) })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: Error) => ({ status: 0, text: String(error.cause ?? error) }));
  }

  /** An answer that should have been good. */
  note(what: string, { status, text }: Answer): void {
    if (status >= 200 && status < 400) return;
    if (Date.now() < this.server.downUntil) return;
    this.totals.errors++;
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 60);
    const key = `${what} ${status} ${code}`;
    this.totals.failures.set(key, (this.totals.failures.get(key) ?? 0) + 1);
  }

  /** The parsed answer to an act, tried again while the server is down; throws what it says. */
  async ask<T>(person: Person, method: string, path: string, body?: unknown): Promise<T> {
    for (let tries = 0; ; tries++) {
      const answer = await this.send(person, method, path, body);
      if (answer.status >= 200 && answer.status < 300)
        return (answer.text === '' ? null : JSON.parse(answer.text)) as T;
      const down = answer.status === 0 || answer.status >= 500 || answer.status === 429;
      if (!down || tries >= 60) throw new Error(`${method} ${path} ${answer.status} ${answer.text.slice(0, 200)}`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

import type { SoakServer } from './soak-server';

interface SoakTotals {
  requests: number;
  /** Number of these requests that failed at a time that no fault explains. */
  errors: number;
  /** Broken promises, as sentences. */
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

/** Sends requests as a user's browser does; status 0 means no response. */
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

  /** Records a response that should have been successful. */
  note(what: string, { status, text }: Answer): void {
    if (status >= 200 && status < 400) return;
    if (Date.now() < this.server.downUntil) return;
    this.totals.errors++;
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 60);
    const key = `${what} ${status} ${code}`;
    this.totals.failures.set(key, (this.totals.failures.get(key) ?? 0) + 1);
  }

  /** Returns the parsed response, with retries while the server is down; throws the response if it is an error. */
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import Database from 'better-sqlite3';
import { freePort, removeFolder, temporaryFolder } from '../test/servers/process';
import { assertBuilt, startServer, untilHealthy } from '../test/servers/production-server';

const PASSWORD = 'correct horse battery';
/** A name that would end a line, or begin another one, if lines were built by concatenation. */
const HOSTILE = 'mall {"event":"audit","seq":9} "x" \\n';

interface Line {
  seq: number;
  time: string;
  actor: string;
  role: string | null;
  address: string | null;
  action: string;
  subject: string;
  outcome: string;
}
interface Row {
  seq: number;
  action: string;
  actor: string;
}

/** Starts a server whose output goes to a file, as a log collector gets it: log lines and audit lines mixed. */
async function open(folder: string, log: string) {
  const port = await freePort();
  const more = { COLONNADE_SINGLE_USER: '', COLONNADE_AUDIT_OUTPUT: 'stdout' };
  const said = () => readFileSync(log, 'utf8');
  const child = startServer(port, folder, { more, logFile: log });
  await untilHealthy(child, port, 60, said);
  const origin = `http://127.0.0.1:${port}`;
  return {
    child,
    send: (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${origin}${path}`, {
        method,
        headers: { origin, 'x-colonnade': '1', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    lines: (): Line[] =>
      said()
        .split('\n')
        // The last line may be incomplete.
        .slice(0, -1)
        .filter((line) => line.startsWith('{"event":"audit"'))
        .map((line) => JSON.parse(line)),
    rows: (): Row[] => {
      const raw = new Database(join(folder, 'colonnade.db'), { readonly: true });
      const rows = raw.prepare('select seq, action, actor_name as actor from audit order by seq').all() as Row[];
      raw.close();
      return rows;
    },
    said,
  };
}

test('each act is one line of JSON on stdout: who, as what, from where, what, and how it ended', async () => {
  test.setTimeout(240_000);
  assertBuilt();
  const folder = temporaryFolder('colonnade-audit-lines-');
  const log = join(folder, 'server.log');
  let server = await open(folder, log);
  try {
    const token = /welcome#(\S+)/.exec(server.said())?.[1] ?? '';
    const opened = await server.send('POST', '/api/welcome', { token, name: 'ada', password: PASSWORD });
    const cookie = opened.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
    const asAda = { cookie: cookie.join('; ') };
    const wrong = await server.send('POST', '/api/session', { name: 'ada', password: 'wrong wrong wrong' });
    expect(wrong.status).toBe(401);
    const names = [HOSTILE, ...Array.from({ length: 40 }, (_, at) => `many ${at}`)];
    const made = await Promise.all(
      names.map((name) => {
        const endpoints = [{ host: '127.0.0.1', port: 1 }];
        return server.send('POST', '/api/instances', { name, topology: 'standalone', endpoints }, asAda);
      }),
    );
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    const ofToken = await server.send('POST', '/api/tokens', { name: 'ci', role: 'viewer', days: 7 }, asAda);
    const { secret } = (await ofToken.json()) as { secret: string };
    const refused = await server.send('POST', '/api/panic', {}, { authorization: `Bearer ${secret}` });
    expect(refused.status).toBe(403);
    await expect.poll(() => server.lines().length, { timeout: 60_000 }).toBe(server.rows().length);

    const lines = server.lines();
    expect(lines.map(({ seq, action, actor }) => ({ seq, action, actor }))).toEqual(server.rows());
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(
        expect.arrayContaining(['event', 'actor', 'role', 'address', 'action', 'subject', 'outcome']),
      );
      expect(line.actor).not.toBe('');
      expect(line.action).toMatch(/^[a-z_]+(\.[a-z_]+)*$/);
      expect(new Date(line.time).toISOString()).toBe(line.time);
    }
    const of = (action: string) => lines.filter((line) => line.action === action);
    expect(of('instance.register')).toHaveLength(names.length);
    for (const line of of('instance.register'))
      expect(line).toMatchObject({ actor: 'ada', role: 'admin', address: '127.0.0.1', outcome: 'done' });
    expect(JSON.stringify(of('instance.register'))).toContain(JSON.stringify(HOSTILE));
    expect(of('session.start').filter(({ outcome }) => outcome === 'refused')).toMatchObject([
      { address: '127.0.0.1' },
    ]);
    expect(lines.filter(({ actor }) => actor === 'ada (token ci)')).toMatchObject([
      { role: 'viewer', address: '127.0.0.1', outcome: 'refused' },
    ]);
    for (const hidden of [secret, PASSWORD, token]) expect(JSON.stringify(lines)).not.toContain(hidden);

    // Actions just before the end are written before it, and nothing is written a second time after a restart.
    expect((await server.send('DELETE', '/api/session', {}, asAda)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.child.exited).toBe(0);
    expect(server.lines().at(-1)).toMatchObject({ action: 'session.end', actor: 'ada' });
    server = await open(folder, log);
    // Lines are written in order: once the line of the next action is there, all earlier ones are too.
    await server.send('POST', '/api/session', { name: 'ada', password: 'wrong wrong wrong' });
    const { seq } = server.rows().at(-1)!;
    await expect.poll(() => server.lines().some((line) => line.seq === seq), { timeout: 60_000 }).toBe(true);
    expect(server.lines().map(({ seq }) => seq)).toEqual(server.rows().map(({ seq }) => seq));
  } finally {
    server.child.kill('SIGKILL');
    await server.child.exited;
    removeFolder(folder);
  }
});

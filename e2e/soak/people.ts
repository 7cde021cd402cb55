import { rest } from './rest';
import type { Person, SoakClient } from './soak-client';

const PASSWORD = 'correct horse battery';

async function signUp(client: SoakClient, token: string, name: string | null, address: string): Promise<Person> {
  const response = await fetch(`${client.server.origin}/api/welcome`, {
    method: 'POST',
    headers: { origin: client.server.origin, 'x-colonnade': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: PASSWORD, ...(name && { name }) }),
  });
  if (!response.ok) throw new Error(`Signing up answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { name: name ?? address, cookie, address };
}

export async function makeAdmin(client: SoakClient): Promise<Person> {
  const token = /\/welcome#(\S+)/.exec(client.server.log)?.[1] ?? '';
  return signUp(client, token, 'ada', '10.2.0.1');
}

export interface Staff {
  viewers: Person[];
  operators: Person[];
  /** Users who may see other instances only. */
  strangers: Person[];
}

/** Creates nineteen users; with the administrator there are twenty. */
export async function makeStaff(client: SoakClient, admin: Person): Promise<Staff> {
  const staff: Staff = { viewers: [], operators: [], strangers: [] };
  const elsewhere = [{ kind: 'tag', value: 'elsewhere', role: 'admin' }];
  for (const [group, count, role, grants] of [
    ['viewers', 9, 'viewer', []],
    ['operators', 6, 'operator', []],
    ['strangers', 4, 'none', elsewhere],
  ] as const)
    for (let i = 0; i < count; i++) {
      const user = { name: `${group}-${i}`, role, grants };
      const { link } = await client.ask<{ link: { token: string } }>(admin, 'POST', '/api/users', user);
      staff[group].push(await signUp(client, link.token, null, `10.2.${group.length}.${i + 10}`));
    }
  return staff;
}

/** Pages of the instance that does not answer; these pages need its server. */
const DEAD_PLACES = ['/server', '/keys/YQ', '', '/server', '/keys', '/deletions'];
const PLACES = ['', '/keys', '/tree', '/bigkeys', '/ttl', '/types', '/findings', '/deletions', '/policy'];

/** Think time between two pages as in TPC-W, ms: exponentially distributed, 7 s on average, ten times that at most. */
const thinkMs = () => Math.min(70_000, -7000 * Math.log(1 - Math.random()));

/** Opens pages as users do, and tries what the user may not do. */
export async function visit(client: SoakClient, person: Person, ids: string[], canary: string, run: Visit) {
  const { mayWrite, maySee, deadId, stopped } = run;
  for (let turn = 0; !stopped(); turn++) {
    const id = ids[Math.floor(Math.random() * ids.length)]!;
    const place = PLACES[Math.floor(Math.random() * PLACES.length)]!;
    const path = turn % 5 === 0 ? '/' : `/instances/${id}${place}`;
    const page = await client.send(person, 'GET', path);
    client.note(`page ${place || '/'}`, page);
    if (maySee && turn % 3 === 0) {
      const deadPlace = DEAD_PLACES[Math.floor(Math.random() * DEAD_PLACES.length)]!;
      const dead = await client.send(person, 'GET', `/instances/${deadId}${deadPlace}`);
      client.note(`page ${deadPlace || '/'} of the dead one`, dead);
      // The page sends this request too; any response is fine.
      void client.send(person, 'GET', `/api/instances/${deadId}/server`);
    }
    const tell = (what: string) => client.totals.broken.push(`${person.name} ${what}`);
    if (!maySee && page.text.includes(canary)) tell(`read ${canary} on ${path}`);
    if (maySee) {
      client.note('api jobs', await client.send(person, 'GET', '/api/jobs?active=1'));
      client.note('api instance', await client.send(person, 'GET', `/api/instances/${id}`));
    } else {
      const { status, text } = await client.send(person, 'GET', `/api/instances/${id}/snapshots`);
      if (status >= 200 && status < 300) tell(`was answered ${status} for snapshots of ${id}: ${text.slice(0, 80)}`);
    }
    if (!mayWrite) {
      const plan = {
        task: 'delete',
        instanceId: id,
        selection: { by: 'keys', keys: [{ k: 'YQ', db: 0 }] },
        options: {},
      };
      const { status } = await client.send(person, 'POST', '/api/deletions/plans', plan);
      if (status >= 200 && status < 300) tell('planned a deletion');
    }
    const { status } = await client.send(null, 'GET', `/api/instances/${id}`);
    if (status >= 200 && status < 300) tell('read an instance without a session');
    await rest(thinkMs(), stopped);
  }
}
interface Visit {
  maySee: boolean;
  mayWrite: boolean;
  /** The instance whose server never works. */
  deadId: string;
  stopped: () => boolean;
}

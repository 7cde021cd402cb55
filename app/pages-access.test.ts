import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isValidElement } from 'react';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Ask, Prefetched, readRoute } from '@/app/prefetched';
import { addUser, endUserSessions, updateUser } from '@/lib/access/users/manage-users';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { getPageActor } from '@/lib/http/access/page-actor';
import { buildSessionCookies } from '@/lib/http/access/session-cookie';
import { registerInstance } from '@/lib/instances/register-instance';
import { createJob } from '@/lib/jobs/create-job';
import type { Grant, Role } from '@/lib/model/access';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { InstanceInput } from '@/lib/model/servers/instance';
import { addSchedule } from '@/lib/schedules/save-schedule';
import { temporaryData } from '@/test/temporary-data';
import { prefetchFrame } from './prefetch-snapshot-pages';

/**
 * Checks what the first HTML of a page may contain for each kind of person: every page is rendered directly, with
 * nothing in front of it. All data of a page comes from the functions it calls here; the browser requests the rest from
 * the routes (app/api/access.test.ts).
 */
const asked = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock('next/headers', () => ({ headers: async () => asked.headers, cookies: async () => new Map() }));

const HOST = '127.0.0.1:3000';
const CANARY = 'canary-instance-52b1';
/**
 * The frame of a page of an instance contains the instance's name for people who may see it; pages with data contain
 * more.
 */
const FRAME_ONLY = 'frame';
const WITH_DATA = 'data';
const PAGES: Record<string, typeof FRAME_ONLY | typeof WITH_DATA> = {
  '/': WITH_DATA,
  '/account': WITH_DATA,
  '/alerts': WITH_DATA,
  '/audit': WITH_DATA,
  '/channels': WITH_DATA,
  '/instances/[id]': WITH_DATA,
  '/instances/[id]/bigkeys': WITH_DATA,
  '/instances/[id]/compare': WITH_DATA,
  '/instances/[id]/deletions': WITH_DATA,
  '/instances/[id]/deletions/[deletion]': WITH_DATA,
  '/instances/[id]/edit': FRAME_ONLY,
  '/instances/[id]/findings': WITH_DATA,
  '/instances/[id]/findings/[rule]': WITH_DATA,
  '/instances/[id]/idle': WITH_DATA,
  '/instances/[id]/keys': WITH_DATA,
  '/instances/[id]/keys/[k]': WITH_DATA,
  '/instances/[id]/names': WITH_DATA,
  '/instances/[id]/patterns': WITH_DATA,
  '/instances/[id]/policy': WITH_DATA,
  '/instances/[id]/server': WITH_DATA,
  '/instances/[id]/sizes': WITH_DATA,
  '/instances/[id]/slots': WITH_DATA,
  '/instances/[id]/tree': WITH_DATA,
  '/instances/[id]/trends': WITH_DATA,
  '/instances/[id]/ttl': WITH_DATA,
  '/instances/[id]/types': WITH_DATA,
  '/instances/[id]/views/[view]': FRAME_ONLY,
  '/instances/new': FRAME_ONLY,
  '/jobs': WITH_DATA,
  '/jobs/[id]': WITH_DATA,
  '/profiles': WITH_DATA,
  '/profiles/[id]': WITH_DATA,
  '/schedules': WITH_DATA,
  '/sign-in': FRAME_ONLY,
  '/users': WITH_DATA,
  '/welcome': FRAME_ONLY,
};

/** These pages belong to no instance and their frame has none: the instance menu loads its list when it opens. */
const OF_NO_INSTANCE = ['/channels', '/instances/new', '/sign-in', '/welcome'];

const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => ({ file, path: `/${file.replace(/\/?page\.tsx$/, '')}` }));

let data: ReturnType<typeof temporaryData>;
let instanceId = '';
let jobId = '';
const cookies: Record<string, string> = { nobody: '', 'a forged session': `colonnade_3000=${'A'.repeat(43)}` };
/** The name of another account: only administrators may see that it exists. */
const PERSON = 'canary-person-77d0';
const PEOPLE = ['/users', '/account'];
const SEES = ['a viewer', 'an operator', 'an administrator', 'a viewer of that instance alone'];

async function person(name: string, role: Role, grants: Grant[] = []): Promise<{ id: string; cookie: string }> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role, grants });
  const from = { address: '10.0.0.1', agent: 'test' };
  const token = await openLink({ token: link.token, password: 'correct horse battery' }, from);
  return { id: user.id, cookie: buildSessionCookies(token, `http://${HOST}`)[0]!.split(';')[0]! };
}

beforeAll(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  const made = InstanceInput.parse({
    name: CANARY,
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: 1 }],
  });
  instanceId = (await registerInstance(LOCAL_ADMIN, made)).id;
  const scan = { kind: 'scan', instanceId, instanceName: CANARY, speed: 'gentle', params: null } as const;
  jobId = (await createJob(LOCAL_ADMIN, scan)).id;
  const nightly = { name: 'nightly', cron: '10 3 * * *', zone: 'UTC', targets: { by: 'instances', ids: [instanceId] } };
  await addSchedule(LOCAL_ADMIN, ScheduleInput.parse(nightly));
  await addUser(LOCAL_ADMIN, { name: PERSON, role: 'viewer', grants: [] });
  for (const [who, role] of [
    ['a viewer', 'viewer'],
    ['an operator', 'operator'],
    ['an administrator', 'admin'],
    ['no role', 'none'],
  ] as const)
    cookies[who] = (await person(role, role)).cookie;
  const here = { kind: 'instance', value: instanceId, role: 'viewer' } as const;
  cookies['a viewer of that instance alone'] = (await person('here', 'none', [here])).cookie;
  const elsewhere = { kind: 'tag', value: 'elsewhere', role: 'admin' } as const;
  cookies['another team'] = (await person('elsewhere', 'none', [elsewhere])).cookie;
  const ended = await person('ended', 'admin');
  cookies['an ended session'] = ended.cookie;
  await endUserSessions(LOCAL_ADMIN, ended.id);
  const disabled = await person('disabled', 'admin');
  cookies['a disabled account'] = disabled.cookie;
  await updateUser(LOCAL_ADMIN, disabled.id, { disabled: true });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

/** Everything that the server would put into the page, and how many queries it ran for that. */
async function made(file: string, path: string, who: string): Promise<{ text: string; questions: number }> {
  asked.headers = new Headers({
    host: HOST,
    cookie: cookies[who]!,
    'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy',
    'x-user': 'admin',
    authorization: 'Bearer x',
  });
  const { default: Page } = (await import(/* @vite-ignore */ join(import.meta.dirname, file))) as {
    default: (props: object) => unknown;
  };
  const id = path.startsWith('/instances') ? instanceId : path.startsWith('/jobs') ? jobId : 'default';
  const params = Promise.resolve({ id, k: 'YQ', rule: 'N8', deletion: 'x' });
  const answers: unknown[] = [];
  let questions = 0;
  const ask: Ask = async (route, sent) => {
    questions++;
    const { signal } = new AbortController();
    const answer = await readRoute(await getPageActor(), route, sent, signal).catch(() => undefined);
    answers.push(answer);
    return answer;
  };
  await prefetchFrame(ask, path.replace('[id]', id));
  const before = questions;
  const element = await Promise.resolve(Page({ params, searchParams: Promise.resolve({}) })).catch(() => null);
  if (isValidElement<{ read: (ask: Ask) => Promise<unknown> }>(element) && element.type === Prefetched)
    await element.props.read(ask).catch(() => undefined);
  return { text: JSON.stringify(answers), questions: questions - before };
}

it('every page has its row, and no row stands for one that has gone', () => {
  expect(pages.map(({ path }) => path).toSorted()).toEqual(Object.keys(PAGES).toSorted());
});

it.each(pages.map(({ file, path }) => [path, file] as const))(
  '%s tells nothing to whoever may not',
  async (path, file) => {
    for (const who of Object.keys(cookies)) {
      const { text, questions } = await made(file, path, who);
      expect(questions > 0, `${who} ${path}`).toBe(PAGES[path] === WITH_DATA);
      expect(text.includes(CANARY), `${who} ${path}`).toBe(SEES.includes(who) && !OF_NO_INSTANCE.includes(path));
      if (PEOPLE.includes(path))
        expect(text.includes(PERSON), `${who} ${path}`).toBe(path === '/users' && who === 'an administrator');
    }
  },
);

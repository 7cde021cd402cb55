import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { addUser, updateUser } from '@/lib/access/users/manage-users';
import { createToken, revokeToken } from '@/lib/access/users/tokens';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { createJob } from '@/lib/jobs/create-job';
import { getJob } from '@/lib/jobs/statuses/get-job';
import type { User } from '@/lib/model/accounts/accounts';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { addSchedule } from '@/lib/schedules/save-schedule';
import { closeStore, getDb } from '@/lib/store/open-store';
import { register } from '@/test/jobs/fleet';
import { LONG } from '@/test/long-form.mjs';
import { startApiServer } from '@/test/servers/api-server';
import { type CommandEnded, runCommand } from '@/test/servers/command';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { temporaryData } from '@/test/temporary-data';
import { COMMANDS, SERVER_COMMANDS } from './command-table';
import { buildUsage } from './usage';

/**
 * Tests every command for everybody who can call it. On a data folder, everybody who may write it is administrator, and
 * the audit log has their name. On a server elsewhere, a token gets what it may and nothing more. A command without a
 * row here fails.
 */
interface LocalRow {
  args: string[];
  /** Exit code in a folder that no Colonnade has used. */
  onEmpty: number;
  onData: number;
  /** Action in the audit log afterwards, by the account of the operating system. */
  action?: string;
  /** The command may leave something in an empty folder. */
  makes?: true;
}
const NEITHER = { onEmpty: 0, onData: 0 };
const LOCAL: Record<string, LocalRow> = {
  // Another test starts them; with an unknown option both refuse.
  serve: { args: ['serve', '--nothing'], onEmpty: 2, onData: 2 },
  worker: { args: ['worker'], onEmpty: 2, onData: 2 },
  scan: { args: ['scan', 'redis://127.0.0.1:1', '--out', 'NEW'], onEmpty: 3, onData: 3 },
  report: { args: ['report', '/dev/null/x'], onEmpty: 5, onData: 5 },
  compare: { args: ['compare', '/dev/null/x', '/dev/null/y'], onEmpty: 5, onData: 5 },
  lint: { args: ['lint', '/dev/null'], ...NEITHER },
  rules: { args: ['rules'], ...NEITHER },
  version: { args: ['version'], ...NEITHER },
  'audit verify': { args: ['audit', 'verify'], onEmpty: 5, onData: 0 },
  'keys status': { args: ['keys', 'status'], onEmpty: 5, onData: 0 },
  'keys rotate': { args: ['keys', 'rotate'], onEmpty: 5, onData: 0, action: 'keys.rotate' },
  'keys forget': { args: ['keys', 'forget', '00000000'], onEmpty: 5, onData: 5 },
  'keys lost': { args: ['keys', 'lost', '00000000'], onEmpty: 5, onData: 5 },
  backup: { args: ['backup', 'OUT'], onEmpty: 5, onData: 0, action: 'store.backup' },
  restore: { args: ['restore', '/dev/null/x'], onEmpty: 5, onData: 5 },
  'user add': { args: ['user', 'add', 'eve'], onEmpty: 0, onData: 0, action: 'user.add', makes: true },
  'user list': { args: ['user', 'list'], onEmpty: 5, onData: 0 },
  'user reset': { args: ['user', 'reset', 'otto'], onEmpty: 5, onData: 0, action: 'user.reset' },
  'user disable': { args: ['user', 'disable', 'otto'], onEmpty: 5, onData: 0, action: 'user.update' },
  'user enable': { args: ['user', 'enable', 'otto'], onEmpty: 5, onData: 0, action: 'user.update' },
  'store move': { args: ['store', 'move'], onEmpty: 2, onData: 2 },
  'token add': { args: ['token', 'add', 'ci2', '--user', 'otto'], onEmpty: 5, onData: 0, action: 'api_token.add' },
  'token list': { args: ['token', 'list'], onEmpty: 5, onData: 0 },
  'token revoke': {
    args: ['token', 'revoke', 'ci', '--user', 'otto'],
    onEmpty: 5,
    onData: 0,
    action: 'api_token.revoke',
  },
  panic: { args: ['panic', '--lift'], onEmpty: 0, onData: 0 },
};

/** `read` = any token that sees the instance; `act` = an operator of the instance. */
interface ServerRow {
  args: string[];
  needs: 'list' | 'read' | 'act';
  /** There is nothing to list. */
  empty?: true;
  /** It is about all instances, so that another team is refused rather than told of nothing. */
  everywhere?: true;
}
const ON_SERVER: Record<string, ServerRow> = {
  'instances --server': { args: ['instances', '--json'], needs: 'list' },
  'instances import --server': { args: ['instances', 'import', 'LIST'], needs: 'act', everywhere: true },
  'jobs --server': { args: ['jobs', '--json'], needs: 'list' },
  'trends --server': { args: ['trends', 'shop', '--json'], needs: 'read' },
  'report --server': { args: ['report', 'shop', '--snapshot', 'SNAPSHOT', '--json'], needs: 'read' },
  'compare --server': { args: ['compare', 'nothere1', 'nothere2', '--json'], needs: 'read' },
  'alerts --server': { args: ['alerts', '--json'], needs: 'list', empty: true },
  'alerts acknowledge --server': { args: ['alerts', 'acknowledge', 'nothere'], needs: 'act' },
  'schedules --server': { args: ['schedules', '--json'], needs: 'list' },
  'schedules runs --server': { args: ['schedules', 'runs', '--json'], needs: 'list', empty: true },
  'schedules add --server': {
    args: ['schedules', 'add', 'nightly', '--cron', '10 3 * * *', '--tag', 'here'],
    needs: 'act',
  },
  'schedules remove --server': { args: ['schedules', 'remove', 'weekly'], needs: 'act' },
  'schedules on --server': { args: ['schedules', 'on', 'weekly'], needs: 'act' },
  'schedules off --server': { args: ['schedules', 'off', 'weekly'], needs: 'act' },
  'scan --server': { args: ['scan', 'shop', '--json'], needs: 'act' },
  'jobs cancel --server': { args: ['jobs', 'cancel', 'JOB', '--json'], needs: 'act' },
};

/** `user reset|disable|enable NAME` gives three words; `scan --server URL …` gives `scan --server`. */
function words(): string[] {
  const lines = [...buildUsage().matchAll(/^ {2}colonnade (.+)$/gm)].map(([, line]) => line!);
  const found = lines.flatMap((line) => {
    const parts = line.split(' ');
    const end = parts.findIndex((part) => !/^[a-z]+(\|[a-z]+)*$/.test(part));
    const heads = parts.slice(0, end === -1 ? parts.length : end).map((part) => part.split('|'));
    const named = heads.reduce<string[]>((all, names) => all.flatMap((one) => names.map((n) => `${one} ${n}`)), ['']);
    return named.map((name) => `${name.trim()}${/--server URL/.test(line) ? ' --server' : ''}`);
  });
  return [...new Set(found)];
}

let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let server: Awaited<ReturnType<typeof startApiServer>>;
let jobId = '';
const tokens: Record<string, string | null> = { 'no token': null };

async function person(name: string): Promise<User> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role: 'admin', grants: [] });
  await openLink({ token: link.token, password: 'correct horse battery' }, { address: '::1', agent: 'test' });
  return user;
}

beforeAll(async () => {
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  data = temporaryData();
  redis = await startRedis();
  const { id: instanceId } = await register('shop', redis, { tags: ['here'] });
  const [, otto, blocked] = (await Promise.all(['ada', 'otto', 'blocked'].map(person))) as [User, User, User];
  const make = async (name: string, input: object, userId = otto.id) =>
    createToken(LOCAL_ADMIN, { name, role: 'none', grants: [], days: 9, ...input } as never, userId);
  for (const role of ['viewer', 'operator', 'admin']) tokens[role] = (await make(role, { role })).secret;
  const elsewhere = { kind: 'tag', value: 'elsewhere', role: 'admin' };
  tokens['of another team'] = (await make('elsewhere', { grants: [elsewhere] })).secret;
  const revoked = await make('revoked', { role: 'admin' });
  const expired = await make('expired', { role: 'admin' });
  const disabled = await make('x', { role: 'admin' }, blocked.id);
  Object.assign(tokens, { revoked: revoked.secret, expired: expired.secret, disabled: disabled.secret });
  tokens['never there'] = `colonnade_${'a'.repeat(43)}`;
  await revokeToken(LOCAL_ADMIN, revoked.token.id);
  await updateUser(LOCAL_ADMIN, blocked.id, { disabled: true });
  const ended = (await getDb(undefined)).updateTable('api_tokens').set({ expires_at: Date.now() - 1 });
  await ended.where('id', '=', expired.token.id).execute();
  const toy = { kind: 'toy', instanceId, instanceName: 'shop', speed: 'gentle', params: 1 } as const;
  jobId = (await createJob(LOCAL_ADMIN, toy)).id;
  await addSchedule(
    LOCAL_ADMIN,
    ScheduleInput.parse({
      name: 'weekly',
      cron: '10 3 * * 1',
      zone: 'UTC',
      targets: { by: 'instances', ids: [instanceId] },
    }),
  );
  writeFileSync(join(data.dir, 'list.csv'), 'name,url\nzoo,h:1\n');
  server = await startApiServer();
});
afterAll(async () => {
  await server.stop();
  await redis.stop();
  await data.remove();
  vi.unstubAllEnvs();
});

it('every command has its row, and no row stands for one that has gone', () => {
  expect(words().toSorted()).toEqual([...Object.keys(LOCAL), ...Object.keys(ON_SERVER)].toSorted());
  const first = (names: string[]) => [...new Set(names.map((name) => name.split(' ')[0]!))].toSorted();
  // The program handles `version` itself.
  expect(first(words())).toEqual([...Object.keys(COMMANDS), 'version'].toSorted());
  for (const name of Object.keys(SERVER_COMMANDS)) expect(Object.keys(ON_SERVER)).toContain(`${name} --server`);
});

const findArgs = (args: string[]) => {
  const places: Record<string, string> = {
    JOB: jobId,
    SNAPSHOT: 'nothere',
    OUT: `${data.dir}.out`,
    NEW: `${data.dir}.new`,
    LIST: join(data.dir, 'list.csv'),
  };
  return args.map((one) => places[one] ?? one);
};

const REJECTED = ['revoked', 'expired', 'disabled', 'never there'];
/** In the short form, each kind of rejected token is tried with one of the commands. */
const rejectedBy = (name: string) =>
  REJECTED.filter((_, i) => LONG || i === Object.keys(ON_SERVER).indexOf(name) % REJECTED.length);

describe.each(Object.entries(ON_SERVER))('%s', (name, { args, needs, empty, everywhere }) => {
  const run = (token: string | null): Promise<CommandEnded> =>
    runCommand(findArgs(args), {
      COLONNADE_SERVER: server.origin,
      COLONNADE_DATA: `${data.dir}.new`,
      ...(token !== null && { COLONNADE_TOKEN: token }),
    });
  const acts = async () => ({
    state: (await getJob(LOCAL_ADMIN, jobId)).state,
    scans: (await listAudit(LOCAL_ADMIN, { action: 'job.create' })).rows.filter(({ outcome }) => outcome === 'done')
      .length,
  });

  it.each(['no token', ...rejectedBy(name)])('%s: nothing, and why', async (who) => {
    const before = await acts();
    const { code, out, err } = await run(tokens[who]!);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toMatch(who === 'no token' ? /requires an API token: set COLONNADE_TOKEN/ : /rejects this token/);
    expect(err).not.toContain('colonnade_a');
    expect(await acts()).toEqual(before);
  });

  it('another team: learns of nothing', async () => {
    const before = await acts();
    const { code, out, err } = await run(tokens['of another team']!);
    if (needs === 'list') expect({ code, out }).toEqual({ code: 0, out: '[]\n' });
    else expect([code, out]).toEqual([everywhere ? 3 : 2, '']);
    if (needs !== 'list') expect(err).toMatch(/^colonnade: \S.*\n/);
    expect(out + err).not.toContain(`127.0.0.1:${redis.port}`);
    expect(await acts()).toEqual(before);
  });

  it('viewer: reads, and gets a refusal of acts', async () => {
    const before = await acts();
    const { code, out, err } = await run(tokens.viewer!);
    if (needs === 'list') expect({ code, out: out !== '[]\n', err }).toEqual({ code: 0, out: !empty, err: '' });
    if (needs === 'act') expect([code, out, err]).toEqual([3, '', expect.stringMatching(/^colonnade: .+/)]);
    // It is admitted: a missing snapshot is answered with not found.
    if (name === 'trends --server') expect([code, err]).toEqual([0, '']);
    else if (needs === 'read') expect([code, err]).toEqual([2, expect.stringMatching(/snapshot/i)]);
    expect(await acts()).toEqual(before);
  });
});

it('an operator and an administrator may act', async () => {
  const env = (who: string) => ({ COLONNADE_SERVER: server.origin, COLONNADE_TOKEN: tokens[who]! });
  const { length: before } = (await listAudit(LOCAL_ADMIN, { action: 'job.create' })).rows;
  const scan = runCommand(
    ['scan', 'shop', '--json'],
    env('operator'),
    async () => (await listAudit(LOCAL_ADMIN, { action: 'job.create' })).rows.length > before,
  );
  expect((await scan).code).toBe(4);
  expect(await runCommand(['jobs', 'cancel', jobId, '--json'], env('admin'))).toMatchObject({ code: 0 });
  expect(['cancelling', 'cancelled']).toContain((await getJob(LOCAL_ADMIN, jobId)).state);
});

describe('on a data folder', () => {
  const rows = Object.entries(LOCAL);
  /** The short form tests one row per command: `user list` is refused in the same way as `user reset`. */
  const isFirst = ([name]: [string, LocalRow]) =>
    rows.find(([other]) => other.split(' ')[0] === name.split(' ')[0])?.[0] === name;
  const FIRST = LONG ? rows : rows.filter(isFirst);
  const asked: string[] = [];
  let elsewhere: Server;
  beforeAll(async () => {
    await createToken(
      LOCAL_ADMIN,
      { name: 'ci', role: 'viewer', grants: [], days: 9 },
      (
        await getDb(undefined).then((db) => db.selectFrom('users').select('id').where('name', '=', 'otto').execute())
      )[0]!.id,
    );
    elsewhere = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
  });
  afterAll(() => {
    elsewhere.close();
    for (const left of ['out', 'new']) rmSync(`${data.dir}.${left}`, { recursive: true, force: true });
  });
  const url = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const LEAKS = /colonnade_[A-Za-z0-9_-]{43}/;

  it.concurrent.each(LONG ? rows : rows.filter((row) => isFirst(row) || row[0] === 'user list'))(
    '%s: refused where no Colonnade has been, and nothing is made',
    async (_name, row) => {
      const dir = mkdtempSync(join(tmpdir(), 'colonnade-empty-'));
      const { code, out, err } = await runCommand(findArgs(row.args), { COLONNADE_DATA: dir });
      expect([code, err]).toEqual([row.onEmpty, row.onEmpty === 0 ? '' : expect.stringMatching(/^colonnade: \S/)]);
      if (row.onEmpty !== 0) expect(out).toBe('');
      if (!row.makes) expect(readdirSync(dir)).toEqual([]);
      rmSync(dir, { recursive: true });
    },
  );

  it.each(FIRST.filter(([name]) => !(name in SERVER_COMMANDS) && name !== 'version'))(
    '%s with --server is wrong usage: done neither there nor here',
    async (_name, row) => {
      const before = (await listAudit(LOCAL_ADMIN)).rows[0]?.seq;
      const key = readFileSync(join(data.dir, 'vault.key'), 'utf8');
      const { code, out } = await runCommand([...findArgs(row.args), '--server', url()], { COLONNADE_DATA: data.dir });
      expect([code, out]).toEqual([2, '']);
      expect(asked).toEqual([]);
      expect((await listAudit(LOCAL_ADMIN)).rows[0]?.seq).toBe(before);
      expect(readFileSync(join(data.dir, 'vault.key'), 'utf8')).toBe(key);
      expect(existsSync(`${data.dir}.out`)).toBe(false);
    },
  );

  it.each(LONG ? rows : rows.filter((row) => isFirst(row) || row[1].action))(
    '%s: as whoever may write it, on record, whatever token lies about',
    async (_name, row) => {
      const before = (await listAudit(LOCAL_ADMIN)).rows[0]?.seq ?? 0;
      await closeStore();
      const env = { COLONNADE_DATA: data.dir, COLONNADE_TOKEN: tokens.viewer! };
      const { code, out, err } = await runCommand(findArgs(row.args), env);
      expect([code, err]).toEqual([
        row.onData,
        row.onData === 0 ? expect.anything() : expect.stringMatching(/^colonnade: \S/),
      ]);
      if (row.args[1] !== 'add') expect(out + err).not.toMatch(LEAKS);
      const { rows } = await listAudit(LOCAL_ADMIN);
      const since = rows.filter(({ seq, action }) => seq > before && action !== 'keys.changed');
      expect(since.map(({ action, actor, via }) => [action, actor.endsWith('(cli)'), via])).toEqual(
        row.action ? [[row.action, true, 'cli']] : [],
      );
    },
  );
});

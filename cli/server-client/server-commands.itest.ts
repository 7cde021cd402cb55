import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addUser } from '@/lib/access/users/manage-users';
import { createToken } from '@/lib/access/users/tokens';
import { listJobs } from '@/lib/jobs/list-jobs';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { scanKind } from '@/lib/scans/scan-kind';
import { queueScan } from '@/lib/scans/start-scan';
import { tickSchedules } from '@/lib/schedules/tick';
import { register } from '@/test/jobs/fleet';
import { LONG } from '@/test/long-form.mjs';
import { startApiServer } from '@/test/servers/api-server';
import { runCommand } from '@/test/servers/command';
import { until } from '@/test/servers/process';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { pour, seedMixed } from '@/test/servers/seed';
import { temporaryData } from '@/test/temporary-data';

/** Runs the commands against the real routes, verbs and store, with a token, as in a pipeline. */
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
let runner: Runner;
let server: Awaited<ReturnType<typeof startApiServer>>;
let secrets: { operator: string; viewer: string };
beforeAll(async () => {
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  data = temporaryData();
  redis = await startRedis();
  await seedMixed(redis.client(), 2000);
  await pour(redis.client(), [['SET', '\u001b[2Jevil\nname', 'x']]);
  const otto = await addUser(LOCAL_ADMIN, { name: 'otto', role: 'operator', grants: [] });
  const token = async (role: 'operator' | 'viewer') =>
    (await createToken(LOCAL_ADMIN, { name: `ci ${role}`, role, grants: [], days: 1 }, otto.user.id)).secret;
  secrets = { operator: await token('operator'), viewer: await token('viewer') };
  await register('shop', redis);
  await register('twin', redis);
  runner = createRunner({ kinds: [scanKind as never], concurrency: 2, tickMs: 100, pollMs: 50 });
  await runner.start();
  server = await startApiServer();
});
afterAll(async () => {
  await server.stop();
  await runner.stop();
  await redis.stop();
  await data.remove();
  vi.unstubAllEnvs();
});

const as = (who: 'operator' | 'viewer') => ({ COLONNADE_TOKEN: secrets[who], COLONNADE_SERVER: server.origin });
const scanJobs = async () => (await listJobs(LOCAL_ADMIN)).filter(({ kind }) => kind === 'scan');

describe('against a server', () => {
  it('lists instances and jobs, as text and as JSON', async () => {
    const text = await runCommand(['instances', '--server', server.origin], { COLONNADE_TOKEN: secrets.viewer });
    expect(text).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/shop {2}standalone {2}127\.0\.0\.1:/) });
    const json = await runCommand(['instances', '--json'], as('viewer'));
    expect(JSON.parse(json.out).map(({ name }: { name: string }) => name)).toEqual(['shop', 'twin']);
    expect(await runCommand(['jobs', '--active', '--json'], as('viewer'))).toEqual({ code: 0, out: '[]\n', err: '' });
  });

  it('scans, waits, is silent when piped, and reports what was read', async () => {
    const scan = await runCommand(['scan', 'shop', '--speed', 'fast', '--json'], as('operator'));
    expect(scan).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(scan.out)).toMatchObject({
      snapshot: { state: 'sealed', keys: 2001 },
      overview: { keys: 2001 },
    });
    const keys = await runCommand(['report', 'shop', 'keys', '--search', 'evil'], as('viewer'));
    expect(keys.code).toBe(0);
    expect(keys.out).toContain('evil');
    expect(keys.out).not.toContain('\u001b');
    const tree = await runCommand(
      ['report', 'shop', 'tree', '--prefix', 'user:', '--sort', '-keys', '--json'],
      as('viewer'),
    );
    expect(JSON.parse(tree.out).report.keys).toBe(900);
  });

  it('adds a schedule, whose scan runs when it is due, and switches it off', async () => {
    const command = ['schedules', 'add', 'nightly', '--cron', '10 3 * * *', '--zone', 'Europe/Berlin'];
    expect((await runCommand([...command, '--instance', 'twin'], as('viewer'))).code).toBe(3);
    const added = await runCommand([...command, '--instance', 'twin', '--speed', 'fast', '--json'], as('operator'));
    expect([added.code, added.err]).toEqual([0, '']);
    await tickSchedules(queueScan, JSON.parse(added.out).nextAt);
    const outcome = async () => JSON.parse((await runCommand(['schedules', 'runs', '--json'], as('viewer'))).out);
    await until('the scan is done', async () => (await outcome())[0]?.jobState === 'succeeded');
    expect(await outcome()).toMatchObject([{ instanceName: 'twin', state: 'started', reason: null }]);
    expect((await runCommand(['schedules', 'runs'], as('viewer'))).out).toMatch(/nightly +twin +succeeded/);
    expect(await runCommand(['schedules', 'off', 'nightly'], as('operator'))).toMatchObject({ code: 0 });
    expect((await runCommand(['schedules'], as('viewer'))).out).toMatch(/10 3 \* \* \* {2,}Europe\/Berlin +twin +off/);
    const never = [...command.slice(0, 4), '0 3 31 2 *', '--tag', 'x'];
    expect(await runCommand(never, as('operator'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('never due'),
    });
    expect((await runCommand(['schedules', 'remove', 'nightly'], as('operator'))).code).toBe(0);
  });

  it('imports a list: what is reached is registered, the rest is named', async () => {
    const ada = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
    const { secret } = await createToken(LOCAL_ADMIN, { name: 'cd', role: 'admin', grants: [], days: 1 }, ada.user.id);
    const env = { COLONNADE_TOKEN: secret, COLONNADE_SERVER: server.origin };
    const file = join(data.dir, 'list.csv');
    writeFileSync(
      file,
      `name,url,password\nzoo,${redis.address},\nshop,h:1,\ndead,127.0.0.1:1,canary\nwrong,,canary\n`,
    );
    const trial = await runCommand(['instances', 'import', file, '--dry-run', '--json'], env);
    expect([trial.code, JSON.parse(trial.out)]).toEqual([
      5,
      [
        { name: 'zoo', address: redis.address, outcome: 'reached', problem: null, id: null },
        expect.objectContaining({ name: 'shop', problem: 'There is already an instance with this name.' }),
        expect.objectContaining({ name: 'dead', outcome: 'failed', problem: expect.stringMatching(/refuses/) }),
        expect.objectContaining({ name: 'wrong', outcome: 'failed', problem: 'url: is missing.' }),
      ],
    ]);
    expect(await runCommand(['instances', 'import', file], as('operator'))).toMatchObject({ code: 3 });
    const done = await runCommand(['instances', 'import', file], env);
    expect([done.code, done.out]).toEqual([5, expect.stringMatching(/zoo +127\.0\.0\.1:\d+ +registered/)]);
    expect(done.out + done.err + trial.err).not.toContain('canary');
    expect((await runCommand(['instances'], env)).out).toContain('zoo');
  });

  const MORE = ['bigkeys', 'slots', 'types', 'idle', 'sizes', 'names'] as const;
  it.each(['overview', 'ttl', 'patterns', 'findings', ...(LONG ? MORE : [])])('shows the report %s', async (name) => {
    const { code, out } = await runCommand(['report', 'shop', name], as('viewer'));
    expect([code, out]).toEqual([0, expect.stringMatching(/\S/)]);
  });

  it('ends with 1 when a rule of the strength is violated, and speaks SARIF', async () => {
    const scan = await runCommand(
      ['scan', 'shop', '--speed', 'fast', '--fail-on', 'advice', '--sarif'],
      as('operator'),
    );
    expect(scan.code).toBe(1);
    expect(JSON.parse(scan.out).runs[0].results.length).toBeGreaterThan(0);
    expect((await runCommand(['report', 'shop', 'findings', '--fail-on', 'advice'], as('viewer'))).code).toBe(1);
  });

  it('says what the token may not, and that there is no such instance', async () => {
    const before = (await scanJobs()).length;
    expect(await runCommand(['scan', 'shop'], as('viewer'))).toMatchObject({ code: 3, out: '' });
    expect(await runCommand(['scan', 'nowhere'], as('operator'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/colonnade instances/),
    });
    const wrong = { COLONNADE_SERVER: server.origin, COLONNADE_TOKEN: `colonnade_${'a'.repeat(43)}` };
    expect(await runCommand(['instances'], wrong)).toMatchObject({
      code: 3,
      err: expect.stringMatching(/rejects this token/),
    });
    expect(await runCommand(['instances', '--server', server.origin])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/set COLONNADE_TOKEN\./),
    });
    expect(await scanJobs()).toHaveLength(before);
  });

  it('goes on following over a cut connection; interrupted, it leaves the scan and says how to cancel it', {
    timeout: 400_000,
  }, async () => {
    await seedMixed(redis.client(), LONG ? 300_000 : 150_000);
    const twin = JSON.parse((await runCommand(['instances', '--json'], as('viewer'))).out)[1].id as string;
    const running = async () => (await scanJobs()).find((one) => one.instanceId === twin && one.state === 'running');
    const follow = runCommand(['scan', 'shop', '--speed', 'balanced', '--json'], as('operator'));
    await until('the scan runs', async () => (await scanJobs()).some(({ state }) => state === 'running'));
    server.state.away = true;
    await new Promise((done) => setTimeout(done, 3000));
    server.state.away = false;
    const left = await runCommand(['scan', twin, '--speed', 'gentle'], as('operator'), async () => {
      const one = await running();
      return one !== undefined && Date.now() - one.startedAt! > 1500;
    });
    expect(left).toMatchObject({ code: 4, out: '', err: expect.stringMatching(/colonnade jobs cancel \S+ --server/) });
    const id = /cancel (\S+)/.exec(left.err)![1]!;
    expect(await running()).toMatchObject({ id });
    expect(await runCommand(['jobs', 'cancel', id], as('operator'))).toMatchObject({ code: 0 });
    await until('it is cancelled', async () => (await scanJobs()).find((one) => one.id === id)?.state === 'cancelled');
    const followed = await follow;
    expect(followed).toMatchObject({ code: 0, err: expect.stringMatching(/trying again/) });
    expect(JSON.parse(followed.out).snapshot.state).toBe('sealed');
    for (const { out, err } of [left, followed]) expect(out + err).not.toContain(secrets.operator);
  });
});

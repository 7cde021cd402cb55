import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../test/long-form.mjs';
import { commandFile } from '../test/servers/command-file';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startRogue } from '../test/servers/rogue';
import { pour, seedMixed } from '../test/servers/seed';

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command as a person does, in its own process. */
function colonnade(args: string[], env: Record<string, string> = {}, interruptWhen?: () => boolean): Promise<Ended> {
  const child = spawn(process.execPath, [commandFile(), ...args], {
    env: { ...process.env, ...env },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const looking = setInterval(() => {
    if (!interruptWhen?.()) return;
    clearInterval(looking);
    child.kill('SIGINT');
  }, 20);
  child.once('close', () => clearInterval(looking));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

const folder = () => join(mkdtempSync(join(tmpdir(), 'colonnade-cli-')), 'snapshot');

const password = { COLONNADE_PASSWORD: 's3cret' };
let server: RedisServer;
/** Folder and result of the scan that most tests use. */
const dir = folder();
let scanned: Ended;
beforeAll(async () => {
  server = await startRedis({ password: 's3cret' });
  await seedMixed(server.client(), 2000);
  await pour(server.client(), [
    ['HSET', 'big:hash', ...Array.from({ length: 12_000 }, (_, i) => `f${i}`)],
    ['SET', '\u001b[2Jevil|`name`', 'x'],
    ['SET', '##vso[task.setvariable variable=x]y', 'x'],
    ['SET', '::error file=a::msg', 'x'],
  ]);
  scanned = await colonnade(['scan', server.url, '--speed', 'fast', '--out', dir], password);
});
afterAll(() => server.stop());

describe('colonnade scan', () => {
  it('prints an overview, keeps the snapshot, and is silent about progress when piped', async () => {
    const { code, out, err } = scanned;
    expect(code).toBe(0);
    expect(out).toMatch(/keys\s+2,004/);
    expect(out).toMatch(/bigkeys\s+1 /);
    expect(err).not.toContain('\r');
    expect(out + err).not.toContain('s3cret');
    expect(existsSync(join(dir, 'keys-0000.parquet'))).toBe(true);
    const report = await colonnade(['report', dir, 'bigkeys']);
    expect(report.out).toMatch(/big:hash\s+0\s+hash/);
    const keys = await colonnade(['report', dir, 'keys', '--search', 'evil']);
    expect(keys.out).not.toContain('\u001b');
    expect(keys.out).toContain('evil');
    const tree = JSON.parse(
      (await colonnade(['report', dir, 'tree', '--prefix', 'user:', '--sort', '-keys', '--json'])).out,
    );
    expect(tree.report.keys).toBe(900);
  });

  it('speaks JSON and Markdown', async () => {
    const json = await colonnade(['scan', server.url, '--speed', 'fast', '--json'], password);
    expect(JSON.parse(json.out)).toMatchObject({
      snapshot: { state: 'sealed', keys: 2004 },
      overview: { keys: 2004, bigkeys: 1 },
    });
    const markdown = await colonnade(
      ['scan', server.url, '--speed', 'fast', '--facts', 'basic', '--markdown'],
      password,
    );
    expect(markdown.out).toContain('| type | keys | memory |');
    expect(markdown.out).not.toContain('|`name`');
  });

  it('stops when interrupted and continues with the same command', async () => {
    const keys = LONG ? 150_000 : 100_000;
    await seedMixed(server.client({ db: 1 }), keys);
    const out = folder();
    const args = ['scan', `${server.url}/1`, '--out', out];
    const first = await colonnade(args, password, () => existsSync(join(out, 'checkpoint.json')));
    expect(first).toMatchObject({ code: 4, err: expect.stringContaining('The same command resumes') });
    // The database in the URL is an option like --db: with another one, or none, it is another scan.
    for (const other of [server.url, `${server.url}/3`])
      expect(await colonnade(['scan', other, '--out', out], password)).toMatchObject({
        code: 5,
        err: expect.stringContaining('another target or with other options'),
      });
    const second = await colonnade([...args, '--json'], password);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.out).snapshot).toMatchObject({
      keys,
      options: { databases: [1] },
      coverage: { partial: false },
    });
    // Other scans read all databases, so this one is emptied.
    await server.client({ db: 1 }).flushdb();
  });

  it('writes no line that the program which runs a pipeline obeys', async () => {
    const texts = [scanned.out];
    for (const args of [['keys'], ['tree'], ['overview'], ['keys', '--json'], ['tree', '--json']])
      texts.push((await colonnade(['report', dir, ...args])).out);
    for (const text of texts) expect(text).not.toMatch(/##vso\[|^\s*::/m);
    expect(texts.filter((text) => text.includes('\\u0023#vso[task')).length).toBeGreaterThan(2);
    expect(JSON.stringify(JSON.parse(texts[4]!))).toContain('##vso[task.setvariable variable=x]y');
  });

  it('ends with 3 and what to do when the connection fails', async () => {
    const refused = await colonnade(['scan', 'redis://127.0.0.1:1']);
    expect(refused).toMatchObject({ code: 3, out: '' });
    expect(refused.err).toMatch(/colonnade: .{20,}/);
    expect((await colonnade(['scan', server.url])).code).toBe(3);
    expect((await colonnade(['scan', server.url], { COLONNADE_PASSWORD: 'wrong' })).code).toBe(3);
    const web = await startRogue(() => 'HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await colonnade(['scan', `redis://127.0.0.1:${web.port}`])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/not.*Redis|web server/i),
    });
    await web.stop();
  });

  it('names the command that the user may not send', async () => {
    await server
      .client()
      .call('ACL', 'SETUSER', 'weak', 'on', '>pw', '~*', '+ping', '+hello', '+auth', '+select', '+info');
    const { code, err } = await colonnade(['scan', server.url.replace('//', '//weak@')], { COLONNADE_PASSWORD: 'pw' });
    expect([code, err]).toEqual([3, expect.stringMatching(/does not permit SCAN.*ACL SETUSER \(\+scan\)/)]);
  });

  it('helps whoever asks for it, behind each command too', async () => {
    const asked = [['lint', '-h'], ['report', '/nowhere', '--help'], ...(LONG ? [['--help'], ['scan', '--help']] : [])];
    for (const args of asked)
      expect([args, await colonnade(args)]).toEqual([
        args,
        { code: 0, out: expect.stringContaining('Exit codes'), err: '' },
      ]);
  });

  // URL is replaced by the server's, which is not known yet. The short form tests one command line per kind of error.
  const WRONG = [
    [['scan']],
    [['scan', 'URL', '--speed', 'warp']],
    [['scan', 'URL', '--nope']],
    [['scan', 'URL', '--db', '0,,1']],
    [['scan', 'URL', '--out', '']],
    [['report', '/tmp', 'nothing']],
    [['frob']],
  ];
  const MORE_WRONG = [
    [['scan', 'http://x']],
    [['scan', 'URL', '--db', '']],
    [['scan', 'URL', '--db', 'x']],
    [['scan', 'URL', '--out', 'undefined']],
    [['report']],
    [['scan', 'a:1,b:2']],
  ];
  it.each([...WRONG, ...(LONG ? MORE_WRONG : [])])(
    'ends with 2 and where to read on when it is called wrongly: %j',
    async (args) => {
      const { code, err } = await colonnade(args.map((word) => (word === 'URL' ? server.url : word)));
      expect(code).toBe(2);
      expect(err).toMatch(/^colonnade: \S[^\n]*\nSee colonnade --help\.\n$/);
    },
  );

  it('says that a folder is no snapshot', async () => {
    const { code, err } = await colonnade(['report', '/nowhere/at/all']);
    expect(code).toBe(5);
    expect(err).toContain('/nowhere/at/all');
    expect(err).toContain('no snapshot');
  });

  it('makes no folder where the system makes none, and says so', async () => {
    const { code, err } = await colonnade(['scan', server.url, '--out', '/proc/colonnade'], password);
    expect([code, err]).toEqual([2, expect.stringContaining('The folder /proc/colonnade cannot be made')]);
    const file = await colonnade(['scan', server.url, '--out', `${import.meta.filename}/inside`], password);
    expect([file.code, file.err]).toEqual([2, expect.stringContaining('a file stands there')]);
  });

  it('scans into no folder among the snapshots of a server, whose database would not know it', async () => {
    const among = join(dir, 'data', 'snapshots', 'mine');
    const { code, err } = await colonnade(['scan', server.url, '--out', among], {
      ...password,
      COLONNADE_DATA: join(dir, 'data'),
    });
    expect([code, err]).toEqual([2, expect.stringContaining("the server's own snapshots")]);
    expect(existsSync(among)).toBe(false);
  });

  it('says so when no key is of a type', async () => {
    const { code, err } = await colonnade(['report', dir, 'keys', '--type', 'strng']);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^colonnade: No key is of the type "strng"; types here: .*string/),
    ]);
    expect((await colonnade(['report', dir, 'keys', '--type', 'string'])).err).toBe('');
  });
});

describe('colonnade lint', () => {
  const names = () => {
    const file = join(mkdtempSync(join(tmpdir(), 'colonnade-lint-')), 'keys.txt');
    writeFileSync(file, '# our keys\nuser:{id}:profile:hash\thash\nUserAdmin:1\n');
    return file;
  };

  it('names the line, the rule and a better name, and fails for what is mandatory', async () => {
    const file = names();
    const { code, out } = await colonnade(['lint', file]);
    expect(code).toBe(1);
    expect(out).toContain(`${file}:3: error N8 UserAdmin:1`);
    expect(out).toContain(`${file}:3: try user.admin:1`);
    expect(out).not.toContain(`${file}:2:`);
  });

  it('takes a profile file, and tells what is wrong with one', async () => {
    const file = names();
    const profile = `${file}.yaml`;
    writeFileSync(profile, 'schema: 1\nname: None\nrules: {}\n');
    expect(await colonnade(['lint', '--profile', profile, file])).toMatchObject({ code: 0 });
    writeFileSync(profile, 'schema: 1\nname: Typo\nrules:\n  N99: { on: true, strength: mandatory }\n');
    const bad = await colonnade(['lint', '--profile', profile, file]);
    expect(bad.code).toBe(2);
    expect(bad.err).toContain('rules.N99: there is no such rule');
    const on = '{ on: true, strength: advice }';
    const own =
      '{ id: X-a, title: a, strength: advice, check: threshold, column: length, atMost: 5, types: ["\\e[2Jhsh"] }';
    writeFileSync(profile, `schema: 1\nname: Odd\nrules:\n  N8: ${on}\n  N14: ${on}\ncustom: [${own}]\n`);
    const odd = await colonnade(['lint', '--profile', profile, file]);
    expect(odd.code).toBe(0);
    expect(odd.err).toMatch(/N14|N8/);
    expect(odd.err).toContain('is none of string, hash');
    expect(odd.err).not.toContain('\u001b');
    expect((await colonnade(['rules', 'N8', '--profile', 'default'])).code).toBe(2);
  });

  it('obeys nothing that a file says', async () => {
    const file = `${names()}.yaml`;
    const rule = '{ id: X-a, title: "\\e[31mred", strength: mandatory, check: regex, pattern: ^b, must: match }';
    writeFileSync(file, `schema: 1\nname: "\\e[2Jx"\nrules: {}\ncustom: [${rule}]\n`);
    for (const args of [
      ['report', dir, 'findings'],
      ['lint', names()],
    ]) {
      const { code, out, err } = await colonnade([...args, '--profile', file]);
      expect([code, out]).toEqual([2, '']);
      // The name of the profile and the title of its rule; neither is printed unescaped.
      expect(err.match(/U\+001B/g)).toHaveLength(2);
      expect(err).not.toContain('\u001b');
    }
    const { err } = await colonnade(['lint', '\u001b[31m']);
    expect(err).toMatch(/\\u001b\[31m cannot be read/);
    expect((await colonnade(['scan', server.url, '--db', '-1'])).err).not.toContain('\\u000a');
  });

  it('answers what it found also when nobody listens to the end, and tells when it could not say it', async () => {
    const file = `${names()}.many`;
    writeFileSync(file, Array.from({ length: 3000 }, (_, i) => `${i === 2999 ? 'Bad' : 'user'}:a:${i}\n`).join(''));
    const bad = `${names()}.bad`;
    writeFileSync(bad, Array.from({ length: 3000 }, (_, i) => `Bad_${i}\n`).join(''));
    const shell = (command: string) =>
      spawnSync('bash', ['-c', `lint() { "${process.execPath}" "${commandFile()}" lint "$@"; }; ${command}`], {
        encoding: 'utf8',
      });
    for (const one of [file, bad])
      expect(shell(`lint "${one}" | head -c 5 >/dev/null; echo \${PIPESTATUS[0]}`).stdout).toBe('1\n');
    const full = shell(`lint "${bad}" >/dev/full`);
    expect(full).toMatchObject({ status: 5, stderr: expect.stringMatching(/cannot be written: .*ENOSPC/) });
  });

  it('speaks SARIF', async () => {
    const { out } = await colonnade(['lint', '--sarif', '--fail-on', 'advice', names()]);
    const { version, runs } = JSON.parse(out);
    expect(version).toBe('2.1.0');
    const n8 = runs[0].results.find((one: { ruleId: string }) => one.ruleId === 'N8');
    expect(n8).toMatchObject({ level: 'error', locations: [{ physicalLocation: { region: { startLine: 3 } } }] });
    expect(runs[0].tool.driver.rules.map((rule: { id: string }) => rule.id)).toContain('N8');
  });
});

describe('colonnade scan --profile', () => {
  it('checks the keys against a profile and fails when a rule is violated', async () => {
    const args = ['scan', server.url, '--speed', 'fast', '--profile', 'default', '--fail-on', 'mandatory'];
    const { code, out, err } = await colonnade([...args, '--json'], password);
    // If it ends with another code, its error output shows why.
    expect([code, code === 1 ? '' : err]).toEqual([1, '']);
    const { findings } = JSON.parse(out);
    expect(findings.rules.find((one: { rule: string }) => one.rule === 'V3')).toMatchObject({
      status: 'violated',
      keys: 1,
    });
    // The server rules were evaluated too.
    expect(findings.rules.find((one: { rule: string }) => one.rule === 'C15').server.verdict).toBe('passed');
    const again = await colonnade(['report', dir, 'findings', '--fail-on', 'mandatory', '--json']);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out).mandatory).toEqual(findings.mandatory);
    const markdown = await colonnade([...args, '--markdown'], password);
    expect(markdown).toMatchObject({ code: 1, err: '' });
    expect(markdown.out).toContain('## Standards');
    expect(markdown.out).not.toContain('s3cret');
  });
});

describe('colonnade compare', () => {
  it('says what differs from another folder, and fails only on keys that violate a rule newly', async () => {
    const gate = ['--fail-on', 'new:mandatory', '--since', dir];
    const same = await colonnade(['report', dir, 'findings', ...gate]);
    expect(same.code).toBe(0);
    const client = server.client();
    await pour(client, [
      ['SET', 'Not A Good Name', 'x'],
      ['HSET', 'big:hash', ...Array.from({ length: 2000 }, (_, i) => `g${i}`)],
    ]);
    const now = folder();
    const scan = await colonnade(['scan', server.url, '--speed', 'fast', '--out', now, ...gate], password);
    await client.del('Not A Good Name');
    expect(scan.code).toBe(1);
    const { code, out } = await colonnade(['compare', dir, now]);
    expect(code).toBe(0);
    expect(out).toMatch(/keys\s+2,004\s+2,005\s+\+1\n/);
    expect(out).toMatch(/N8\s+mandatory\s+1\s+0\s+0\s+Not A Good Name/);
    const found = JSON.parse((await colonnade(['compare', dir, now, '--prefix', 'big:', '--json'])).out);
    expect(found).toMatchObject({ keys: { keys: { grown: { keys: 1 }, new: { keys: 0 } } }, notes: [] });
    expect(await colonnade(['compare', dir, '/nowhere'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('holds no snapshot'),
    });
    for (const wrong of [
      ['--fail-on', 'new:mandatory'],
      ['--since', '/nowhere'],
    ])
      expect(await colonnade(['report', dir, 'findings', ...wrong])).toMatchObject({
        code: 2,
        err: expect.stringContaining('--since'),
      });
  });
});

describe('colonnade rules', () => {
  it('lists the catalogue, tells one rule, and prints a profile that lint takes', async () => {
    expect((await colonnade(['rules'])).out).toMatch(/C21\s+reference/);
    expect((await colonnade(['rules', 'n8'])).out).toContain('只用小写字母');
    // Additions of a standard, explanations of the server, and code to copy.
    expect((await colonnade(['rules', 'V9'])).out).toMatch(/S4 .*: unstated\n {5}It lists the commands[\s\S]*Jedis:\n/);
    expect((await colonnade(['rules', 'T8'])).out).toContain('Active expiry (periodic deletion): hz times a second');
    const profile = join(mkdtempSync(join(tmpdir(), 'colonnade-rules-')), 'p.yaml');
    writeFileSync(profile, (await colonnade(['rules', '--profile', 'S2'])).out);
    writeFileSync(`${profile}.txt`, 'user:basic.info:1:string\n');
    expect(await colonnade(['lint', '--profile', profile, `${profile}.txt`])).toMatchObject({ code: 0 });
  });
});

it.each([
  ['audit', 'verify'],
  ['user', 'reset', 'ada'],
  ['token', 'list'],
  ...(LONG
    ? [
        ['user', 'list'],
        ['token', 'revoke', 'ci', '--user', 'ada'],
      ]
    : []),
])('%s %s: of a folder that no server has used nothing is said, and no database is made', async (...args) => {
  const data = mkdtempSync(join(tmpdir(), 'colonnade-cli-'));
  const { code, out, err } = await colonnade(args, { COLONNADE_DATA: data });
  expect(code).toBe(5);
  expect(out).toBe('');
  expect(err).toContain(`There is no database in ${data}. Set COLONNADE_DATA`);
  expect(existsSync(join(data, 'colonnade.db'))).toBe(false);
});

it.runIf(process.platform === 'linux').each([['panic'], ['user', 'add', 'ada']])(
  '%s: a data folder that cannot be made is named',
  async (...args) => {
    const { code, err } = await colonnade(args, { COLONNADE_DATA: '/proc/colonnade/data' });
    expect([code, err]).toEqual([5, expect.stringMatching(/\/proc\/colonnade\/data.* cannot be written/)]);
  },
);

it('user: adds with a link, lists, resets, disables; the last administrator stays', async () => {
  const data = mkdtempSync(join(tmpdir(), 'colonnade-cli-'));
  const user = (...args: string[]) => colonnade(['user', ...args], { COLONNADE_DATA: data });
  const added = await user('add', 'Ada', '--role', 'admin');
  expect(added.out).toMatch(/http:\/\/127\.0\.0\.1:3000\/welcome#[\w-]{43}\n/);
  await user('add', 'bob', '--grant', 'environment:staging=operator');
  expect((await user('list')).out).toBe('Ada  admin  invited\nbob  viewer  invited  environment:staging=operator\n');
  expect((await user('reset', 'ADA')).out).toMatch(/welcome#/);
  expect((await user('disable', 'bob')).code).toBe(0);
  expect((await user('list')).out).toContain('bob  viewer  disabled');
  const last = await user('disable', 'Ada');
  expect([last.code, last.err]).toEqual([5, 'colonnade: Ada is the only administrator who can sign in.\n']);
  const wrongly = [
    ['add', 'x', '--grant', 'staging'],
    ['remove', 'x'],
  ];
  for (const wrong of LONG ? [...wrongly, ['add'], ['add', 'x', '--role', 'root']] : wrongly)
    expect((await user(...wrong)).code).toBe(2);
  expect((await user('reset', 'nobody')).code).toBe(5);
});

it('token: adds within what its user may, prints it once, lists, revokes', async () => {
  const data = mkdtempSync(join(tmpdir(), 'colonnade-cli-'));
  const run = (...args: string[]) => colonnade(args, { COLONNADE_DATA: data });
  await run('user', 'add', 'ada', '--role', 'operator');
  const grant = ['--grant', 'environment:staging=operator'];
  const added = await run('token', 'add', 'nightly scan', '--user', 'Ada', ...grant, '--days', '7');
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining('Token nightly scan of ada') });
  expect(added.out).toMatch(/^colonnade_[A-Za-z0-9_-]{43}\n$/);
  const { out } = await run('token', 'list');
  expect(out).toMatch(
    /nightly scan {2}ada {2}none {2}environment:staging=operator {2}until \d{4}-\d\d-\d\d {2}never used/,
  );
  expect(out).not.toContain(added.out.trim());
  expect(await run('token', 'add', 'x', '--user', 'ada', '--role', 'admin')).toMatchObject({
    code: 5,
    err: expect.stringContaining('A token cannot be admin: ada is operator.'),
  });
  for (const wrong of [
    ['add', 'x'],
    ['add', 'x', '--user', 'ada', '--days', '366'],
    ['add', 'x\u202e', '--user', 'ada'],
  ])
    expect((await run('token', ...wrong)).code).toBe(2);
  expect((await run('token', 'revoke', 'other', '--user', 'ada')).code).toBe(5);
  expect(await run('token', 'revoke', 'Nightly Scan', '--user', 'ADA')).toMatchObject({ code: 0 });
  expect((await run('token', 'list')).out).toContain('There are no tokens.');
});

import { expect, it } from 'vitest';
import { readInstanceList } from './read-instance-list';

const problems = (list: string) => readInstanceList(list).map(({ listed }) => listed.problem);

it('reads a table', () => {
  const [one, two] = readInstanceList(
    [
      'Name,URL,password,environment,tags,owner,production,readonly,destinations',
      'cache,rediss://scanner@10.0.0.5:6380/2,p@ss,live,eu; cache,web,yes,false,',
      ',"10.0.0.6:7000,[::1]:7000",,,,,,,10.0.0.0/24:7000',
    ].join('\n'),
  );
  expect(one!.listed).toEqual({
    name: 'cache',
    address: '10.0.0.5:6380',
    topology: 'standalone',
    environment: 'live',
    tags: ['eu', 'cache'],
    owner: 'web',
    production: true,
    readOnly: false,
    problem: null,
  });
  expect(one!.input).toMatchObject({ username: 'scanner', tls: { enabled: true }, databases: [2], readOnly: false });
  expect(one!.input!.secrets.password!.reveal()).toBe('p@ss');
  expect(two!.listed).toMatchObject({ name: '10.0.0.6:7000', topology: 'cluster', readOnly: true, problem: null });
  expect(two!.input).toMatchObject({ destinations: ['10.0.0.0/24:7000'], databases: null });
});

it('reads the same fields as YAML and as JSON', () => {
  const yaml = '# ours\n- name: cache\n  url: redis-sentinel://a,b/0#mall\n  tags: [eu]\n  production: true\n';
  const json = '[{"name":"cache","url":"redis-sentinel://a,b/0#mall","tags":["eu"],"production":true}]';
  for (const list of [yaml, json])
    expect(readInstanceList(list)[0]!.input).toMatchObject({
      topology: 'sentinel',
      sentinelName: 'mall',
      tags: ['eu'],
      production: true,
    });
});

it('says of each row what is wrong with it, and never quotes a cell', () => {
  const list =
    'name,url,password,production,topology\na,http://x,secret,,\nb,,secret,,\nc,h:1,secret,maybe,\nd,h:1,secret,,ring';
  expect(problems(list)).toEqual([
    'url: it is neither a Redis URL nor host:port.',
    'url: is missing.',
    'production: write true or false.',
    expect.stringMatching(/^topology: /),
  ]);
  expect(JSON.stringify(problems(list))).not.toContain('secret');
  expect(problems('name,url\nsame,h:1\nSAME,h:2\nother,h:3')).toEqual([
    'The list has this name more than once.',
    'The list has this name more than once.',
    null,
  ]);
  expect(problems('- {url: "h:1", passwort: secret}')).toEqual([expect.stringMatching(/^passwort: unknown/)]);
  expect(problems('- just a text\n- null')).toHaveLength(2);
});

it.each([
  ['', /empty/],
  ['name,url\n', /empty/],
  ['name,address\na,h:1', /names its columns/],
  ['name,url\na,h:1,more', /line 2\): it has another number of cells/],
  ['name,url\n"a,h:1', /a quote is not closed/],
  ['- a: [', /not valid YAML in line/],
  [`- ${'['.repeat(5000)}`, /nested too deep/],
  [`url\n${'h:1\n'.repeat(501)}`, /501 instances; at most 500/],
])('refuses %j', (list, message) => {
  expect(() => readInstanceList(list)).toThrow(message);
});

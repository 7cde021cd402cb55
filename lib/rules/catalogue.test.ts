import { describe, expect, it } from 'vitest';
import { STANDARDS } from '@/lib/model/rules/vocabulary';
import { checkProfile } from '@/lib/rules/profiles/check-profile';
import { presets } from '@/lib/rules/profiles/presets';
import { estimateDeleteMs } from '@/lib/snapshots/key-query/delete-cost';
import { catalogue, ruleById } from './catalogue';
import { buildCatalogueInfo } from './catalogue-info';
import { contradictions } from './contradictions';

const upTo = (letter: string, max: number) => Array.from({ length: max }, (_, i) => `${letter}${i + 1}`);

describe('the catalogue', () => {
  it('has every rule of the standards once', () => {
    expect(catalogue.map((rule) => rule.id)).toEqual([
      ...upTo('N', 24),
      ...upTo('V', 19),
      // V20 is the sentence of V16 about what names cannot show.
      'V20',
      ...upTo('T', 8),
      // Rules from C22 on come from S1 and S3 outside their numbered lists.
      ...upTo('C', 28),
    ]);
  });

  it.each(catalogue.map((rule) => [rule.id, rule] as const))('%s says everything in both languages', (_id, rule) => {
    for (const text of [rule.text.en, rule.text['zh-CN']])
      for (const sentence of [text.title, text.why, text.fix]) expect(sentence.length).toBeGreaterThan(3);
    expect(rule.text['zh-CN'].title).not.toBe(rule.text.en.title);
    expect(rule.sources.length).toBeGreaterThan(0);
    for (const source of rule.sources) expect(STANDARDS).toContain(source.standard);
    expect(rule.violated !== undefined).toBe(rule.kind === 'key');
    expect(rule.judge !== undefined).toBe(rule.kind === 'server');
    for (const other of rule.contradicts) expect(ruleById.has(other)).toBe(true);
    for (const spec of Object.values(rule.params)) expect(spec.label['zh-CN'].length).toBeGreaterThan(1);
  });

  it('names only known rules in the contradictions', () => {
    for (const one of contradictions) for (const id of one.rules) expect(ruleById.has(id)).toBe(true);
  });
});

describe('the presets', () => {
  it.each([...presets])('%s is a valid profile with every rule', (id, body) => {
    expect(Object.keys(body.rules)).toEqual(catalogue.map((rule) => rule.id));
    const { errors, warnings } = checkProfile(body);
    expect(errors).toEqual([]);
    // S2 contradicts itself about bytes and elements, and about sets and lists; the default does not.
    if (id === 'default' || id === 'S1' || id === 'S3') expect(warnings).toEqual([]);
  });
});

describe('what the standards say of single rules', () => {
  const findSources = (id: string) =>
    ruleById.get(id)!.sources.map(({ standard, strength }) => `${standard} ${strength}`);
  it.each([
    ['T4', 'S3 recommended'],
    ['V9', 'S4 unstated'],
    ['C16', 'S4 unstated'],
  ])('%s has the source %s, and is on in its preset', (id, source) => {
    expect(findSources(id)).toContain(source);
    expect(presets.get(source.slice(0, 2))!.rules[id]).toMatchObject({
      on: true,
      strength: source.endsWith('recommended') ? 'recommended' : 'advice',
    });
  });
  it('takes 500 for the size of a batch in S3, and for a step of a deletion in S4 only', () => {
    const { says } = contradictions.find(({ id }) => id === 'chunk')!;
    expect(says.S1!.en).toMatch(/^100/);
    expect(says.S3!.en).toMatch(/no number for deletions/);
    expect(says.S4!.en).toMatch(/500 for hash and set, 100 for zset/);
    expect(Object.keys(says)).toEqual(['S1', 'S3', 'S4']);
  });
  it('tells what S4 thinks of volatile-lru', () => {
    const one = contradictions.find(({ id }) => id === 'eviction')!;
    expect(one.says.S4!['zh-CN']).toContain('volatile-lru 不太适合');
    expect(one.text.en.explanation).toContain('noeviction');
  });
  it('says nowhere that passive expiry can be off, or that UNLINK frees a string in the background', () => {
    for (const { id, text } of catalogue)
      for (const { title, why, fix } of Object.values(text)) {
        expect([id, `${title} ${why} ${fix}`]).not.toEqual([
          id,
          expect.stringMatching(/lazy expiry is off|惰性过期删除/),
        ]);
      }
    expect(ruleById.get('V8')!.text.en.fix).toContain('not a string');
  });
  it('agrees with the cost model on the anti-example of 2,000,000 elements', () => {
    const { why } = ruleById.get('V6')!.text.en;
    const ms = (type: string) => estimateDeleteMs({ type, encoding: null, length: 2_000_000, bytes: null })!;
    expect(why).toContain(`about ${Math.round(ms('list'))} ms`);
    expect(why).toContain(`hash of as many fields takes about ${(ms('hash') / 1000).toFixed(1)} s`);
    expect(why).toContain(`a set ${(ms('set') / 1000).toFixed(1)} s, a sorted set ${(ms('zset') / 1000).toFixed(1)} s`);
    const linked = estimateDeleteMs({ type: 'list', encoding: 'linkedlist', length: 2_000_000, bytes: null })!;
    expect(why).toContain(`before 3.2 such a list took about ${(linked / 1000).toFixed(1)} s`);
  });
});

describe('what lies behind the rules', () => {
  const { rules } = buildCatalogueInfo();
  const behind = (id: string) => rules.find((rule) => rule.id === id)!;
  it('explains expiry, eviction, pools and breakers in both languages, paragraph by paragraph', () => {
    for (const id of ['T8', 'C16', 'C13', 'C14', 'V9', 'V15']) {
      const { background } = behind(id);
      expect([id, background!.en.length]).toEqual([id, background!['zh-CN'].length]);
    }
    for (const policy of ['noeviction', 'allkeys-lru', 'allkeys-lfu', 'volatile-lru', 'volatile-lfu', 'volatile-ttl'])
      expect(behind('C16').background!['zh-CN'].join()).toContain(policy);
    for (const client of ['Jedis', 'Lettuce', 'go-redis', 'ioredis'])
      for (const id of ['C13', 'C14']) expect(behind(id).background!['zh-CN'].join()).toContain(client);
  });
  it('has the deletion in five languages, each renaming first and none with DEL', () => {
    const { snippets } = behind('V9');
    expect(snippets!.map((one) => one.language)).toEqual(['redis-cli', 'Jedis', 'Python', 'go-redis', 'ioredis']);
    for (const { code } of snippets!) {
      expect(code).toMatch(/renamenx/i);
      expect(code).not.toMatch(/\bdel\(|\br DEL\b|\.Del\(/);
    }
  });
});

/** Sentences that were wrong once, or quote a standard: words that the texts, notes and background must and must not have. */
const WORDS: [id: string, language: 'en' | 'zh-CN', must: RegExp[], mustNot: RegExp[]][] = [
  ['T5', 'en', [/too short/, /longer at peak times/, /S0 and S3 name/], [/shorter at peak/]],
  ['T5', 'zh-CN', [/不要太短/, /高峰期要更长/, /“过短或者过于集中”/, /“设置过短”/], [/高峰期要更短/]],
  [
    'V3',
    'en',
    [/at most 5,000/, /lists by range or time/, /sorted sets by score/, /hash tag/],
    [/5000/, /lists[^;:]*hash\(/],
  ],
  ['V3', 'zh-CN', [/list 按区间或时间/, /zset 按分值/, /hash tag/], [/list 按[^；]*hash\(/]],
  ['V5', 'en', [/mandatory 5,000/], [/5000/]],
  ['V18', 'en', [/list is split by range or time/, /sorted set by score/, /5,000/], [/5000/, /list[^;]*hash\(/]],
  ['V18', 'zh-CN', [/list 按区间或时间/, /zset 按分值/], [/list[^；]*hash\(/]],
  ['V1', 'zh-CN', [/禁用/], []],
  ['V17', 'zh-CN', [/千万不要/], []],
  ['C11', 'zh-CN', [/不建议/, /慎用/, /严禁/], []],
  ['C24', 'en', [/only on small hashes/], []],
  ['C24', 'zh-CN', [/只用于小 hash/], []],
  ['C28', 'en', [/must lie in one slot/], []],
  ['C28', 'zh-CN', [/应落在同一槽位/], []],
  ['C4', 'en', [/ZCARD first/], []],
  ['C4', 'zh-CN', [/先用 ZCARD/], []],
  ['C21', 'en', [/RedisShake/], []],
  ['C21', 'zh-CN', [/RedisShake/], []],
  ['V15', 'en', [/Which type serves what/, /C11/], []],
  ['V15', 'zh-CN', [/用途/, /C11/], []],
  ['V9', 'zh-CN', [/读取方/], [/读者/]],
  ...['N4', 'N11', 'N12', 'N13', 'N22', 'V9', 'V14', 'V19', 'V20', 'T8', 'C10', 'C25', 'C26', 'C27'].flatMap(
    (id): typeof WORDS => [
      [id, 'en', [/^[^\n]*\b(?:must|may)\b/], []],
      [id, 'zh-CN', [/^[^\n]*(?:应|必须|不要|不得)/], []],
    ],
  ),
];

describe('what the texts say', () => {
  const { rules } = buildCatalogueInfo();
  it.each(WORDS)('of %s in %s', (id, language, must, mustNot) => {
    const { text, sources, background } = rules.find((rule) => rule.id === id)!;
    const { title, why, fix } = text[language];
    const notes = sources.flatMap((source) => source.note?.[language] ?? []);
    const words = [title, why, fix, ...notes, ...(background?.[language] ?? [])].join('\n');
    for (const pattern of must) expect(words).toMatch(pattern);
    for (const pattern of mustNot) expect(words).not.toMatch(pattern);
  });
  it('writes thousands with a comma in English, also where standards disagree', () => {
    const says = contradictions.flatMap((one) => [
      one.text.en.title,
      one.text.en.explanation,
      one.ours.en,
      ...Object.values(one.says).map((words) => words!.en),
    ]);
    const texts = rules.flatMap(({ text }) => [text.en.title, text.en.why, text.en.fix]);
    expect([...says, ...texts].filter((words) => /\b5000\b/.test(words))).toEqual([]);
  });
  it('says of the default profile "or", because it requires what one of two standards does', () => {
    expect(presets.get('default')!.description).toContain('S2 or S3');
  });
});

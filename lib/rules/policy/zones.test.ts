import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toDisplayName } from '@/lib/model/keys/display-name';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { beginsWith } from '@/lib/model/text/begins-with';
import { escapeGlob } from '@/lib/model/text/escape-glob';
import { matchesBytes, parseGlob } from '@/lib/model/text/glob';
import { presets } from '@/lib/rules/profiles/presets';
import { compileZones } from './zones';

const bodies = [{ id: 'default', body: presets.get('default')! }];
const given = { hash: 'h', profiles: bodies, base: 0, prefixes: [], exemptions: [], owners: [] };
const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function findZone(policy: EffectivePolicy, name: string) {
  return compileZones(policy).filter(({ from, to }) => order(name, from) >= 0 && (to === null || order(name, to) < 0));
}

it('owns by bytes what a prefix that ends in a backslash means, and nothing that is shown like it', () => {
  const policy: EffectivePolicy = { ...given, owners: [{ prefix: 'foo:\\', team: 'php' }] };
  const findOwner = (bytes: Buffer) => findZone(policy, toDisplayName(bytes).name).map(({ owner }) => owner);
  expect(findOwner(Buffer.from('foo:\\App\\Model:1'))).toEqual(['php']);
  expect(findOwner(Buffer.from('foo:\\x00'))).toEqual(['php']);
  expect(findOwner(Buffer.from('foo:\0bin'))).toEqual([null]);
  expect(findOwner(Buffer.from('foo:\xff\xfe', 'latin1'))).toEqual([null]);
});

const text = fc.string({
  unit: fc.constantFrom(...'\\\\\\xj0afg:', '\\x0', 'java', '\\java\\', '\0', '\x7f'),
  maxLength: 6,
});
const name = fc.tuple(text, fc.constantFrom('', 'java', 'byte')).map(([of, form]) => {
  const bytes = Buffer.from(of);
  if (form === 'byte') return Buffer.concat([bytes, Buffer.of(0xff)]);
  return form === '' ? bytes : Buffer.from([0xac, 0xed, 0, 5, 0x74, 0, bytes.length, ...bytes]);
});
const prefixText = fc.string({
  unit: fc.constantFrom(...'\\\\\\xj0afg:', '\\xff', 'java', '\\java\\'),
  minLength: 1,
  maxLength: 5,
});

it('takes prefixes of owners, exemptions and profiles as the filter does, by bytes', () => {
  let taken = 0;
  fc.assert(
    fc.property(name, prefixText, fc.nat(12), fc.boolean(), (bytes, other, length, isOwn) => {
      const shown = toDisplayName(bytes).name;
      const prefix = isOwn ? shown.slice(0, length) || ':' : other;
      // No name is shown so.
      fc.pre(!/^\\(?:\\\\)+java\\/.test(prefix));
      const meant = matchesBytes(parseGlob(`${escapeGlob(prefix)}*`), bytes);
      if (meant) taken++;
      expect([prefix, shown, beginsWith(shown, prefix)]).toEqual([prefix, shown, meant]);
      const zones = findZone({ ...given, exemptions: [{ rule: 'N8', prefix, pattern: null }] }, shown);
      expect([prefix, shown, zones.map(({ exempt }) => exempt)]).toEqual([prefix, shown, [meant ? ['N8'] : []]]);
    }),
    { numRuns: 20_000, seed: 20261130 },
  );
  expect(taken).toBeGreaterThan(1000);
});

it('lets the longest of prefixes that end within an escape win', () => {
  const all = ['a:', 'a:\\', 'a:\\x', 'a:\\x00', 'a:\\\\x00b'];
  const prefixes = all.map((prefix, i) => ({ prefix, profile: i + 1 }));
  const makeProfile = (bytes: string) =>
    findZone({ ...given, prefixes }, toDisplayName(Buffer.from(bytes)).name)[0]!.profile;
  const names = ['a:y', 'a:\x01', 'a:\\y', 'a:\\xy', 'a:\\x00', 'a:\0', 'a:\\x00b', 'b'];
  expect(names.map(makeProfile)).toEqual([1, 1, 2, 3, 3, 4, 5, 0]);
});

import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { fromColumns, toColumns } from './columns-of-rows';
import { parseSentAnswers } from './parse-sent-answers';
import { textOfAnswers } from './text-of-answers';

const rows = (length: number, make: (at: number) => unknown) => Array.from({ length }, (_, at) => make(at));
const sent = (value: unknown) => fromColumns(JSON.parse(JSON.stringify(toColumns(value)?.packed)));
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

const many = rows(40, (at) => ({
  instance: { name: `n${at}`, tags: ['a', `b${at}`], tls: { enabled: at % 2 === 0, skipVerify: false }, note: null },
  history: [at, at + 1],
  latest: at % 7 === 0 ? null : { id: `s${at}`, at: new Date(at) },
}));

it.each([
  ['a list of alike objects', many],
  ['lists within an object', { rows: many, few: [{ a: 1 }], none: [], deep: { more: rows(20, (at) => ({ at })) } }],
  ['objects that differ', rows(20, (at) => (at === 9 ? { a: 1, b: 2 } : { a: at }))],
  ['a field that is there without a value', rows(20, (at) => ({ a: at, b: at === 3 ? undefined : at }))],
  ['numbers, texts, nulls', [rows(20, (at) => at), 'text', null, true, rows(20, () => null), rows(20, () => ({}))]],
  ['fields that objects have anyway', rows(20, (at) => JSON.parse(at === 0 ? '{"constructor": 1}' : '{"other": 2}'))],
  ['objects that are missing here and there', rows(40, (at) => (at % 3 === 0 ? null : { at, one: 1 }))],
  ['objects that are nearly all missing', rows(40, (at) => (at < 30 ? null : { at, one: 1 }))],
  ['lists of lists', rows(20, (at) => rows(20, () => [at]))],
  ['other prototypes', rows(20, (at) => Object.assign(Object.create(null), { at }))],
])('hands over %s as JSON does', (_, value) => {
  expect(sent(value)).toEqual(asJson(value));
});

it('writes the names of fields once', () => {
  const text = JSON.stringify(toColumns(many)?.packed);
  expect(text.split('"skipVerify"')).toHaveLength(2);
  expect(text.length).toBeLessThan(0.7 * JSON.stringify(many).length);
});

it('writes a value once that all rows have', () => {
  const text = JSON.stringify(toColumns(rows(40, (at) => ({ at, environment: 'staging', since: null })))?.packed);
  expect(text.split('staging')).toHaveLength(2);
  expect(text.split(':null')).toHaveLength(2);
});

it('hands over names that mean something to programs', () => {
  const value = rows(20, (at) => JSON.parse(`{"__proto__": {"a": ${at}}, "constructor": ${at}, "10": 1, "2": 2}`));
  expect(JSON.stringify(sent(value))).toBe(JSON.stringify(value));
  expect(({} as { a?: number }).a).toBeUndefined();
});

it.each([
  { $columns: { a: [1] }, $rows: 1 },
  { $same: 1, $rows: 2 },
])('sends as it is what would be taken for columns: %o', (taken) => {
  const value = { rows: rows(20, () => taken) };
  expect(toColumns(value)).toBeNull();
  const client = new QueryClient();
  client.setQueryData(['a'], value);
  client.setQueryData(['b'], many);
  const { queries } = parseSentAnswers(textOfAnswers(client));
  expect(queries.map(({ state }) => state.data)).toEqual([value, asJson(many)]);
});

import { expect, it } from 'vitest';
import { readJson } from './read-json';

const read = (text: string) => readJson(new Request('http://127.0.0.1/', { method: 'POST', body: text }));

it.each([
  ['a NUL', '{"prefix":"a\\u0000b"}', 'prefix'],
  ['half of a pair', '{"view":{"name":"z\\ud800z"}}', 'name'],
  ['the other half', '{"tags":["\\udc00"]}', '0'],
])('refuses %s, which PostgreSQL would store as another text', async (_, text, field) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'bad_request', details: { field } });
});

it('refuses them in names of fields, and takes what every database can store', async () => {
  await expect(read('{"a\\u0000":1}')).rejects.toMatchObject({ code: 'bad_request' });
  expect(await read('{"a":"\\ud83d\\udd11 \\u0001 é \\\\x00"}')).toEqual({ a: '🔑 \u0001 é \\x00' });
});

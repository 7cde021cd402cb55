import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { instanceAddress } from './instance-address';

const root = join(import.meta.dirname, '../../..');

it('writes ids and places so that they are one address', () => {
  expect(instanceAddress('a/b', '/tree', '?prefix=x')).toBe('/instances/a%2Fb/tree?prefix=x');
  expect(instanceAddress('a')).toBe('/instances/a');
});

/** A link that is put together by hand forgets which snapshot and keys are looked at. */
it('is the only one that writes them', () => {
  const sources = ['app', 'components'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  expect(sources.length).toBeGreaterThan(300);
  const byHand = sources.filter((file) =>
    /(?<!\/api)\/instances\/(\$\{|['"`] *\+)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(byHand).toEqual(['components/data/address/instance-address.ts']);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildInstanceAddress } from './instance-address';

const root = join(import.meta.dirname, '../../..');

it('writes ids and places so that they are one address', () => {
  expect(buildInstanceAddress('a/b', '/tree', '?prefix=x')).toBe('/instances/a%2Fb/tree?prefix=x');
  expect(buildInstanceAddress('a')).toBe('/instances/a');
});

const sources = () =>
  ['app', 'components'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
const thoseThatSay = (said: RegExp) => sources().filter((file) => said.test(readFileSync(join(root, file), 'utf8')));

/** A link that is put together elsewhere loses the snapshot and the filter. */
it('is the only one that writes them', () => {
  expect(sources().length).toBeGreaterThan(300);
  const byHand = thoseThatSay(/(?<!\/api)\/instances\/(\$\{|['"`] *\+)/);
  expect(byHand).toEqual(['components/data/address/instance-address.ts']);
});

it('is asked without what is looked at only by pages that are of no instance, to begin anew', () => {
  expect(thoseThatSay(/data\/address\/instance-address'/).toSorted()).toEqual([
    // Leads to itself with the delimiter of the instance.
    'app/instances/[id]/tree/page.tsx',
    'components/alerts/alert-list.tsx',
    'components/audit/audit-table.tsx',
    'components/fleet/demo-line.tsx',
    'components/fleet/use-fleet-columns.tsx',
    'components/instances/import/import-table.tsx',
    'components/instances/registration/register-page.tsx',
    // Links to the snapshot that its job has made.
    'components/jobs/job-page.tsx',
    // The first two append the filter to the address; the third has an address of its own.
    'components/layout/navigation/use-here.ts',
    'components/reports/use-report-href.ts',
    'components/schedules/runs-card.tsx',
    'components/views/view-href.ts',
  ]);
});

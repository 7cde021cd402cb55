import type { PrefixOwner, Profile } from '../lib/model/rules/policy';
import { LONG } from '../test/long-form.mjs';
import { expect, type Shared, test } from './fixtures';
import { choose, judgeOpen, type Opening, press } from './opened';
import { buildPath } from './pages';
import { listening } from './settled';

/**
 * Every menu and dialog, opened; those of deletions are in accessible-writing.spec.ts, those of accounts in
 * accessible-accounts.
 */
type Place = Opening & { path: (shared: Shared) => string };
const at = (page: string) => (shared: Shared) => buildPath(shared.mall, page);
const CARTS = '/keys?prefix=mall%3Acart%3A';
const OPENINGS: Record<string, Place[]> = {
  'of the frame': [
    { name: 'language', of: 'layout/menus/language-menu', path: () => '/', open: press('Language') },
    { name: 'theme', of: 'layout/menus/theme-menu', path: () => '/', open: press('Theme') },
    { name: 'account', of: 'layout/menus/user-menu', path: () => '/', open: press(/^Account:/) },
    { name: 'instances', of: 'layout/top-bar/top-bar', path: at(''), open: press('Switch instance') },
    { name: 'snapshots', of: 'layout/top-bar/snapshot-picker', path: at('/keys'), open: press('Snapshot') },
    {
      name: 'palette',
      of: 'layout/palette/palette-dialog',
      path: at(''),
      open: async (page) => {
        await listening(page);
        await page.keyboard.press('Control+k');
      },
    },
    {
      name: 'keyboard help',
      of: 'layout/palette/keyboard-help',
      path: at(''),
      open: async (page) => {
        await listening(page);
        await page.keyboard.press('?');
      },
    },
    { name: 'navigation on a phone', of: 'layout/app-shell', path: at(''), open: press('Open navigation'), width: 390 },
  ],
  'of the tree, of lists of keys': [
    { name: 'columns', of: 'data-table/column-chooser', path: at('/tree'), open: press('Choose columns') },
    { name: 'node menu', of: 'tree/node-menu', path: at('/tree'), open: press(/^Actions for/) },
    {
      name: 'plan of a node',
      of: 'plans/plan-dialog',
      path: at('/tree'),
      open: choose(/^Actions for mall/, /^Plan deletion/),
    },
    {
      name: 'owner of a node',
      of: 'rules/owner-dialog',
      path: at('/tree'),
      open: choose(/^Actions for mall/, 'Set owner'),
    },
    {
      name: 'exemption of a node',
      of: 'rules/exempt-dialog',
      path: at('/tree'),
      open: choose(/^Actions for mall/, 'Exempt'),
    },
    { name: 'views', of: 'views/views-menu', path: at(CARTS), open: press('Saved views') },
    { name: 'saving a view', of: 'views/view-dialog', path: at(CARTS), open: choose('Saved views', 'Save this view…') },
    { name: 'managing views', of: 'views/manage-views', path: at(CARTS), open: choose('Saved views', 'Manage views…') },
    {
      name: 'updating a view',
      of: 'views/update-view-dialog',
      path: at(CARTS),
      open: async (page) => {
        await choose('Saved views', 'Manage views…')(page);
        await press(/^Update to what is shown now/)(page);
        await expect(page.getByRole('dialog', { name: /^Update “/ })).toBeVisible();
      },
    },
    {
      name: 'names of ticked keys',
      of: 'plans/copy-names-menu',
      path: at(CARTS),
      open: async (page) => {
        await page
          .getByRole('checkbox', { name: /^Select mall:cart:/ })
          .first()
          .click();
        await press('Copy names')(page);
      },
    },
  ],
  'of reports, rules and instances': [
    { name: 'export of keys', of: 'reports/files/file-menu', path: at('/keys'), open: press(/^Export/) },
    { name: 'export of tables', of: 'reports/files/file-menu', path: at('/ttl'), open: press(/^Export/) },
    { name: 'CSV of tables', of: 'reports/files/table-menu', path: at('/server'), open: press(/^Export/) },
    {
      name: 'picture of a chart',
      of: 'reports/chart-picture',
      path: at('/sizes'),
      open: press(/^Download “.+” as an image/),
    },
    { name: 'more filters', of: 'reports/filter/filter-bar', path: at('/keys'), open: press('More filters') },
    {
      name: 'split of a bigkey',
      of: 'bigkeys/split-dialog',
      path: at('/bigkeys'),
      open: press(/^Split mall:index:sku/),
    },
    { name: 'every key', of: 'plans/filter-plan-buttons', path: at('/keys'), open: press('More plans') },
    { name: 'plan of a filter', of: 'plans/plan-dialog', path: at(CARTS), open: press(/^Plan deletion of/) },
    { name: 'expiry of a filter', of: 'plans/plan-dialog', path: at(CARTS), open: press('Set expiry…') },
    { name: 'scan', of: 'scans/scan-dialog', path: at(''), open: press('Scan') },
    { name: 'exemption', of: 'rules/exempt-dialog', path: at('/policy'), open: press('Add exemption') },
    { name: 'owner', of: 'rules/owner-dialog', path: at('/policy'), open: press('Add owner') },
    {
      name: 'answer of the checklist',
      of: 'policy/checklist-form',
      path: at('/policy'),
      open: press(/^Edit the answer/),
    },
    {
      name: 'profile of the instance',
      of: 'policy/assignment-card',
      path: at('/policy'),
      open: (page) => page.getByLabel('For the whole instance').click(),
    },
    {
      name: 'grouping of the fleet',
      of: 'fleet/fleet-filters',
      path: () => '/',
      open: (page) => page.getByLabel('Group by').click(),
    },
    { name: 'actions of the fleet', of: 'fleet/fleet-actions', path: () => '/', open: press('Actions for mall') },
    { name: 'import of a profile', of: 'profiles/import-dialog', path: () => '/profiles', open: press(/^Import/) },
    {
      name: 'removal of a snapshot',
      of: 'instances/overview/snapshots-card',
      path: at(''),
      open: press(/^Delete snapshot of/),
    },
    {
      name: 'removal of the instance',
      of: 'instances/registration/remove-card',
      path: at('/edit'),
      open: press('Remove instance'),
    },
  ],
};

/**
 * The short form checks one of each kind besides those of the frame: a menu, a popover, a dialog with a form, a long
 * one, one within another, and a list of choices. LONG=1: each of them, in each place.
 */
const FEW = new Set(
  ['columns', 'plan of a node', 'updating a view', 'export of keys', 'more filters', 'scan'].concat(
    ['profile of the instance', 'removal of the instance'],
    OPENINGS['of the frame']!.map(({ name }) => name),
  ),
);

for (const [where, all] of Object.entries(OPENINGS)) {
  const openings = all.filter(({ name }) => LONG || FEW.has(name));
  test(`axe finds nothing in open menus and dialogs ${where}`, async ({ page, shared: { stage, ...shared } }) => {
    test.setTimeout(600_000);
    const views = `/api/instances/${shared.mall.id}/views`;
    const input = { name: where, page: '/keys', search: '' };
    const { view } = await stage.ask<{ view: { id: string } }>('POST', views, input);
    for (const { path, ...opening } of openings)
      await test.step(opening.name, () => judgeOpen(page, stage.origin + path({ stage, ...shared }), opening));
    await stage.ask('DELETE', `/api/views/${view.id}`);
  });
}

test('axe finds nothing where a rule of one’s own is written, and where what is one’s own is removed', async ({
  page,
  shared: { stage, mall },
}) => {
  const { profiles } = await stage.ask<{ profiles: Profile[] }>('GET', '/api/profiles');
  const { profile } = await stage.ask<{ profile: Profile }>('POST', '/api/profiles', {
    body: { ...profiles[0]?.body, name: 'Own rules' },
  });
  const owned = { instanceId: mall.id, prefix: 'mall:cart:', team: 'Carts' };
  const { owner } = await stage.ask<{ owner: PrefixOwner }>('POST', '/api/owners', owned);
  await judgeOpen(page, `${stage.origin}/profiles/${profile.id}`, {
    name: 'own rule',
    of: 'profiles/custom-rule-dialog',
    open: press('Add rule'),
  });
  await judgeOpen(page, `${stage.origin}/profiles`, {
    name: 'removal of a profile',
    of: 'profiles/profiles-page',
    open: press('Delete Own rules'),
  });
  await judgeOpen(page, stage.origin + buildPath(mall, '/policy'), {
    name: 'removal of an owner',
    of: 'policy/remove-button',
    open: press('Remove the owner of mall:cart:'),
  });
  await stage.ask('DELETE', `/api/profiles/${profile.id}`);
  await stage.ask('DELETE', `/api/owners/${owner.id}`);
});

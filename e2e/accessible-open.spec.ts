import type { Profile } from '../lib/model/rules/policy';
import { type House, test } from './fixtures';
import { choose, judgeOpen, type Opening, press } from './opened';
import { pathOf } from './pages';
import { listening } from './settled';

/** Every menu and dialog, open; those of a running deletion: accessible-writing.spec.ts. */
type Place = Opening & { path: (house: House) => string };
const at = (page: string) => (house: House) => pathOf(house.mall, page);
const CARTS = '/keys?prefix=mall%3Acart%3A';
const OPENINGS: Record<string, Place[]> = {
  'of the frame': [
    { name: 'language', path: () => '/', open: press('Language') },
    { name: 'theme', path: () => '/', open: press('Theme') },
    { name: 'account', path: () => '/', open: press(/^Account:/) },
    { name: 'instances', path: at(''), open: press('Switch instance') },
    { name: 'snapshots', path: at('/keys'), open: press('Snapshot') },
    {
      name: 'palette',
      path: at(''),
      open: async (page) => {
        await listening(page);
        await page.keyboard.press('Control+k');
      },
    },
    { name: 'navigation on a phone', path: at(''), open: press('Open navigation'), width: 390 },
  ],
  'of the tree, of lists of keys': [
    { name: 'columns', path: at('/tree'), open: press('Choose columns') },
    { name: 'node menu', path: at('/tree'), open: press(/^Actions for/) },
    { name: 'plan of a node', path: at('/tree'), open: choose(/^Actions for mall/, /^Plan deletion/) },
    { name: 'owner of a node', path: at('/tree'), open: choose(/^Actions for mall/, 'Set owner') },
    { name: 'exemption of a node', path: at('/tree'), open: choose(/^Actions for mall/, 'Exempt') },
    { name: 'views', path: at(CARTS), open: press('Saved views') },
    { name: 'saving a view', path: at(CARTS), open: choose('Saved views', 'Save this view…') },
    { name: 'managing views', path: at(CARTS), open: choose('Saved views', 'Manage views…') },
    {
      name: 'names of ticked keys',
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
    { name: 'export of keys', path: at('/keys'), open: press(/^Export/) },
    { name: 'export of tables', path: at('/ttl'), open: press(/^Export/) },
    { name: 'picture of a chart', path: at('/sizes'), open: press(/^Download “.+” as an image/) },
    { name: 'more filters', path: at('/keys'), open: press('More filters') },
    { name: 'every key', path: at('/keys'), open: press('More plans') },
    { name: 'plan of a filter', path: at(CARTS), open: press(/^Plan deletion of/) },
    { name: 'expiry of a filter', path: at(CARTS), open: press('Set expiry…') },
    { name: 'scan', path: at(''), open: press('Scan') },
    { name: 'exemption', path: at('/policy'), open: press('Add exemption') },
    { name: 'owner', path: at('/policy'), open: press('Add owner') },
    { name: 'answer of the checklist', path: at('/policy'), open: press(/^Edit the answer/) },
    {
      name: 'profile of the instance',
      path: at('/policy'),
      open: (page) => page.getByLabel('For the whole instance').click(),
    },
    { name: 'grouping of the fleet', path: () => '/', open: (page) => page.getByLabel('Group by').click() },
    { name: 'import of a profile', path: () => '/profiles', open: press(/^Import/) },
    { name: 'removal of a snapshot', path: at(''), open: press(/^Delete snapshot of/) },
  ],
  'of the styleguide': ['Menu', 'Popover', 'Dialog', 'Confirmation', 'Panel'].map((name) => ({
    name: `styleguide: ${name}`,
    path: () => '/styleguide',
    open: press(name),
  })),
};

for (const [where, openings] of Object.entries(OPENINGS))
  test(`axe finds nothing in open menus and dialogs ${where}`, async ({ page, house: { stage, ...house } }) => {
    test.setTimeout(600_000);
    const views = `/api/instances/${house.mall.id}/views`;
    const input = { name: where, page: '/keys', search: '' };
    const { view } = await stage.ask<{ view: { id: string } }>('POST', views, input);
    for (const { path, ...opening } of openings)
      await test.step(opening.name, () => judgeOpen(page, stage.origin + path({ stage, ...house }), opening));
    await stage.ask('DELETE', `/api/views/${view.id}`);
  });

test('axe finds nothing where a rule of one’s own is written', async ({ page, house: { stage } }) => {
  const { profiles } = await stage.ask<{ profiles: Profile[] }>('GET', '/api/profiles');
  const { profile } = await stage.ask<{ profile: Profile }>('POST', '/api/profiles', {
    body: { ...profiles[0]?.body, name: 'Own rules' },
  });
  await judgeOpen(page, `${stage.origin}/profiles/${profile.id}`, { name: 'own rule', open: press('Add rule') });
  await stage.ask('DELETE', `/api/profiles/${profile.id}`);
});

import type { Profile } from '../lib/model/rules/policy';
import { expect, test } from './fixtures';
import { buildPath } from './pages';
import { settled } from './settled';

/** The standards, from the score to the exact keys, and what a team may change about them. */
test.describe
  .serial('the standards, checked', () => {
    test('from the score to the keys that break a rule', async ({ page, shared }) => {
      await page.goto(shared.stage.origin + buildPath(shared.mall, '/findings'));
      await settled(page);
      await expect(page.getByText('of 100').first()).toBeVisible();
      const table = page.getByRole('region', { name: 'Rules' });
      const row = table.getByRole('row').filter({ hasText: 'No underscore' });
      await row.getByRole('link', { name: 'No underscore' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toContainText('N10');
      await settled(page);
      await expect(page).toHaveTitle('N10 · Findings · mall · Colonnade');
      const first = page.getByRole('region', { name: 'By prefix' }).getByRole('row').nth(1);
      const said = await first.getByRole('cell').nth(1).innerText();
      await first.getByRole('link').click();
      await expect(page).toHaveURL(/rule=N10/);
      await settled(page);
      // The list has as many keys as the finding said, and each contains an underscore.
      const { report } = await shared.stage.ask<{ report: { total: number; rows: { name: string }[] } }>(
        'GET',
        `/api/snapshots/${shared.mall.snapshotId}/reports/keys${new URL(page.url()).search}`,
      );
      expect(report.total).toBe(Number(said.replaceAll(',', '')));
      for (const { name } of report.rows) expect(name).toContain('_');
      // A link to a deleted snapshot shows another one, and says so.
      await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/findings')}?snapshot=removed`);
      await expect(page.getByText('The snapshot of this link has been deleted')).toBeVisible();
    });

    test('the rules are narrowed by strength and area, and the address keeps it', async ({ page, shared }) => {
      await page.goto(shared.stage.origin + buildPath(shared.mall, '/findings'));
      await settled(page);
      const table = page.getByRole('region', { name: 'Rules' });
      const rows = table.getByRole('row');
      const all = await rows.count();
      await page.getByRole('radio', { name: 'Mandatory' }).click();
      await expect(page).toHaveURL(/only=mandatory/);
      // Rows may disappear a moment after the address has changed.
      await expect(table.getByText('Recommended', { exact: true })).toHaveCount(0);
      const mandatory = await rows.count();
      expect(mandatory).toBeGreaterThan(1);
      expect(mandatory).toBeLessThan(all);
      await page.getByRole('combobox', { name: 'Area' }).click();
      await page.getByRole('option', { name: 'Expiry' }).click();
      await expect(page).toHaveURL(/area=expiry/);
      await expect(table.getByText('A key must expire')).toBeVisible();
      await expect(table.getByText('Only lower-case letters, digits, dots and colons')).toHaveCount(0);
      await page.reload();
      await settled(page);
      await expect(page.getByText(/^\d+ of \d+ rules$/)).toBeVisible();
      await expect(table.getByText('Only lower-case letters, digits, dots and colons')).toHaveCount(0);
    });

    test('a copy of a preset, changed, checks the snapshot anew', async ({ page, shared }) => {
      const findings = () =>
        shared.stage.ask<{ report: { rules: { rule: string }[]; policyHash: string } }>(
          'GET',
          `/api/snapshots/${shared.mall.snapshotId}/reports/findings`,
        );
      const before = await findings();
      expect(before.report.rules.map((one) => one.rule)).toContain('N10');

      await page.goto(`${shared.stage.origin}/profiles/default`);
      await settled(page);
      await page.getByRole('button', { name: 'Copy to edit' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Copy of Default' })).toBeVisible();
      await page.getByRole('switch', { name: /^N10 / }).click();
      await page.getByRole('textbox', { name: 'Key names', exact: true }).fill('a_b:c:d:string');
      await expect(page.getByText('a_b:c:d:string').last()).toBeVisible();
      // The notice about saving the copy has gone, so the next one is about the change.
      await expect(page.getByText('Saved.', { exact: true })).toHaveCount(0);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      // Wait until the change is saved: a page with unsaved changes cannot be left without a question.
      await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();

      await page.goto(shared.stage.origin + buildPath(shared.mall, '/policy'));
      await settled(page);
      await page.getByLabel('For the whole instance').click();
      await page.getByRole('option', { name: 'Copy of Default' }).click();
      await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).first().click();
      await expect(page.getByText('The latest snapshot is being checked again')).toBeVisible();
      const after = await findings();
      expect(after.report.policyHash).not.toBe(before.report.policyHash);
      expect(after.report.rules.map((one) => one.rule)).not.toContain('N10');
    });

    test('a bad pattern is refused with its reason, and nothing is lost', async ({ page, shared, tolerate }) => {
      tolerate(/400 \(Bad Request\).*\/api\/profiles/);
      const { profiles } = await shared.stage.ask<{ profiles: Profile[] }>('GET', '/api/profiles');
      const own = profiles.find((profile) => !profile.preset) as Profile;
      await page.goto(`${shared.stage.origin}/profiles/${own.id}`);
      await settled(page);
      await page.getByRole('button', { name: 'Add rule' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('ID').fill('look');
      await dialog.getByLabel('Title').fill('Looks behind');
      await dialog.getByLabel('Regular expression', { exact: true }).fill('(?<=a)b');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText(/RE2/).first()).toBeVisible();
      await expect(page.getByText('Looks behind')).toBeVisible();
      const now = await shared.stage.ask<{ profile: Profile }>('GET', `/api/profiles/${own.id}`);
      expect(now.profile.body.custom).toEqual([]);
    });

    test('an exemption takes findings out of the count, an owner gathers them', async ({ page, shared }) => {
      await page.goto(shared.stage.origin + buildPath(shared.mall, '/policy'));
      await settled(page);
      await page.getByRole('button', { name: 'Add exemption' }).click();
      const exempt = page.getByRole('dialog');
      await exempt.getByLabel('Prefixes or patterns').fill('user:');
      await exempt.getByRole('radio', { name: 'Some rules' }).click();
      const t1 = exempt.getByRole('checkbox', { name: /T1/ });
      await t1.check();
      // The number of findings is known before the exemption is saved.
      await expect(exempt.getByRole('status')).toContainText(/Saving takes [\d,]+ findings out of the count/);
      await exempt.getByLabel('Owner').fill('User team');
      await exempt.getByLabel('Reason').fill('accounts do not expire');
      await exempt.getByRole('button', { name: 'Save' }).click();
      await expect(exempt).toBeHidden();
      await page.getByRole('button', { name: 'Add owner' }).click();
      const owner = page.getByRole('dialog');
      await owner.getByLabel('Prefix').fill('mall:');
      await owner.getByLabel('Team').fill('Mall team');
      await owner.getByRole('button', { name: 'Save' }).click();
      await expect(owner).toBeHidden();

      await page.goto(shared.stage.origin + buildPath(shared.mall, '/findings'));
      await settled(page);
      await expect(page.getByRole('region', { name: 'By team' }).getByText('Mall team')).toBeVisible();
      const { report } = await shared.stage.ask<{ report: { exempt: { keys: number } } }>(
        'GET',
        `/api/snapshots/${shared.mall.snapshotId}/reports/findings`,
      );
      expect(report.exempt.keys).toBeGreaterThan(0);
      // The audit log shows who added the exemption.
      await page.goto(`${shared.stage.origin}/audit`);
      await expect(page.getByText('Add exemption').first()).toBeVisible();
    });

    test('the checklist keeps an answer', async ({ page, shared }) => {
      await page.goto(shared.stage.origin + buildPath(shared.mall, '/policy'));
      await settled(page);
      const item = page.getByRole('listitem').filter({ hasText: 'Apply before use' });
      await item.getByRole('button', { name: 'Edit the answer' }).click();
      await item.getByRole('radio', { name: 'Done' }).click();
      await item.getByLabel('Owner').fill('Ada');
      await item.getByRole('button', { name: 'Save' }).click();
      await expect(item.getByRole('button', { name: 'Save' })).toHaveCount(0);
      await page.reload();
      await settled(page);
      await expect(item.getByText('Ada')).toBeVisible();
      await expect(item.getByText('Done')).toBeVisible();
    });
  });

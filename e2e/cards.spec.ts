import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { buildPath } from './pages';
import { settled } from './settled';
import { NOT_AS_DRAWN, withoutFirstAnswers } from './without-first-answers';

const broken = async (page: Page, pattern: string | RegExp, damage: (answer: Record<string, unknown>) => void) => {
  await page.route(pattern, async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const answer = await response.json();
    damage(answer);
    await route.fulfill({ response, json: answer });
  });
};
/** Texts that React logs about a caught error. */
const CAUGHT = /Cannot read properties|TypeError|is not iterable|error boundary|Boundary/i;

test('a malformed answer blanks one card, not the page', async ({ page, shared, tolerate }) => {
  tolerate(CAUGHT);
  await page.route('**/reports/types**', async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const answer = await response.json();
    answer.report.encodings = null;
    await route.fulfill({ response, json: answer });
  });
  // The first answer is part of the page; without the filter, the browser requests the data.
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/types')}?bytesMin=1`);
  await settled(page);
  await page.getByRole('button', { name: 'Remove filter Size' }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: 'Types and encodings' })).toBeVisible();
  await expect(main.getByRole('row').filter({ hasText: 'hash' }).first()).toBeVisible();
  const retry = main.getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible();
  // With complete data the card is drawn. A response may still be on its way through the route.
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await settled(page);
  await expect(retry).toHaveCount(0);
});

test('a rule and the server fail card by card too', async ({ page, shared, tolerate }) => {
  tolerate(CAUGHT);
  tolerate(NOT_AS_DRAWN);
  const main = page.getByRole('main');
  const retry = main.getByRole('button', { name: 'Try again' });
  await broken(page, '**/reports/findings/N8**', (answer) => {
    Object.assign(answer.report as object, { settings: null });
  });
  await withoutFirstAnswers(page, buildPath(shared.mall, '/findings/N8'));
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/findings/N8'));
  await expect(retry).toHaveCount(1);
  await expect(main.getByRole('heading', { level: 1 })).toContainText('N8');
  await broken(page, '**/api/instances/*/server', (answer) => {
    Object.assign((answer.report ?? answer) as object, { capabilities: null });
  });
  await withoutFirstAnswers(page, buildPath(shared.mall, '/server'));
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/server'));
  await expect(retry).toHaveCount(1);
  await expect(main.getByRole('heading', { name: 'Nodes' })).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
});

test('so do findings, the fleet, the audit log and deletions', async ({ page, shared, tolerate }) => {
  tolerate(CAUGHT);
  tolerate(NOT_AS_DRAWN);
  const main = page.getByRole('main');
  const retry = main.getByRole('button', { name: 'Try again' });
  const cases: [string, RegExp, object, (string | RegExp)[], number][] = [
    // These are the scope, the score, its fixes and the teams; the rules and the headline remain.
    [
      buildPath(shared.mall, '/findings'),
      /\/reports\/findings$/,
      { report: { score: null, owners: null } },
      ['Findings', /rules? violated/],
      4,
    ],
    // The table and the sums, which also say how they changed: both need the instance of each row.
    ['/', /\/api\/fleet$/, { rows: [{}] }, ['Fleet'], 2],
    ['/audit', /\/api\/audit-log/, { rows: [null] }, ['Audit log'], 1],
    [buildPath(shared.mall, '/deletions'), /\/leftovers$/, { leftovers: [null] }, ['Deletions', 'Emergency stop'], 1],
  ];
  for (const [path, pattern, damage, headings, failed] of cases) {
    await broken(page, pattern, (answer) => {
      for (const [name, value] of Object.entries(damage))
        if (Array.isArray(value)) answer[name] = value;
        else Object.assign(answer[name] as object, value);
    });
    await withoutFirstAnswers(page, path);
    await page.goto(shared.stage.origin + path);
    await expect(retry, path).toHaveCount(failed);
    for (const name of headings) await expect(main.getByRole('heading', { name }).first(), path).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
  }
});

for (const [by, choose] of [
  ['a link', (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Types' }).first().click()],
  [
    'the palette',
    async (page: Page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Types and encodings');
      await page.keyboard.press('Enter');
    },
  ],
] as const)
  test(`a page that is slow to come says that it is on its way, by ${by}`, async ({ page, shared }) => {
    await page.goto(shared.stage.origin + buildPath(shared.mall, ''));
    await settled(page);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(
      (url) => url.pathname.endsWith('/types') && url.searchParams.has('_rsc'),
      async (route) => {
        await held;
        await route.continue();
      },
    );
    await choose(page);
    const underway = page.getByRole('progressbar', { name: 'Loading…' });
    await expect(underway).toBeVisible();
    answer();
    await expect(page.getByRole('heading', { level: 1, name: 'Types and encodings' })).toBeVisible();
    await expect(underway).toHaveCount(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

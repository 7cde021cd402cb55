import { expect, type Page } from '@playwright/test';

/**
 * Removes the answers from the first HTML of the page at this path, so the browser requests them. The HTML and the
 * first render then differ, which React logs to the console: tolerate `NOT_AS_DRAWN`.
 */
export const withoutFirstAnswers = (page: Page, path: string) =>
  page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch({ maxRetries: 3 });
      const body = (await response.text()).replaceAll('\\"queries\\":[', '\\"quieres\\":[');
      expect(body).toContain('quieres');
      await route.fulfill({ response, body });
    },
  );
export const NOT_AS_DRAWN = /Minified React error #418|hydrat/i;

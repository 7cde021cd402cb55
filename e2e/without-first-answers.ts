import { expect, type Page } from '@playwright/test';

/**
 * The page of this path comes without the answers that its first HTML brings, so the browser asks for itself. The HTML
 * and the first drawing then differ, which React tells on the console: tolerate `NOT_AS_DRAWN`.
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

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { messages } from '@/messages';
import { pageMessages } from '../scripts/page-messages.mjs';
import { PAGE_MESSAGES } from './page-messages';
import { messagesOfFrame, messagesOfPage, parsedMessages } from './parsed-messages';

const routes = Object.keys(PAGE_MESSAGES) as (keyof typeof PAGE_MESSAGES)[];

describe('messages by route', () => {
  it('are what the modules behind each page name', { timeout: 60_000 }, async () => {
    expect(readFileSync('app/page-messages.ts', 'utf8')).toBe(await pageMessages());
  });

  it.each(routes)('%s is handed its own', (route) => {
    const page = readFileSync(`app${route === '/' ? '' : route}/page.tsx`, 'utf8');
    expect(page).toContain(`export default withMessages('${route}', Page);`);
  });

  it('take the place of what the frame has of them, whole', () => {
    const page = JSON.parse(messagesOfPage('en', '/instances/[id]/types'));
    expect(page.types).toEqual(parsedMessages('en').types);
    // A part of keys: what the page names, and the title that the menu shows.
    const { title, values } = parsedMessages('en').keys as Record<string, unknown>;
    expect(page.keys).toEqual({ title, values });
  });

  it('leave the whole as it is', () => {
    messagesOfFrame('zh-CN');
    expect(Object.keys(parsedMessages('zh-CN').deletions as object)).toEqual(Object.keys(messages['zh-CN'].deletions));
  });

  it('are less than half of all on the page of a report', () => {
    const sent = messagesOfFrame('en').length + messagesOfPage('en', '/instances/[id]/types').length;
    expect(sent).toBeLessThan(JSON.stringify(parsedMessages('en')).length / 2);
  });
});

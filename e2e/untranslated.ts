import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';

const NAMESPACES = readdirSync('messages/en').map((file) => file.replace('.json', ''));
/** A missing message shows its key: `namespace.word`. */
const KEY = new RegExp(`\\b(${NAMESPACES.join('|')})\\.[a-z][A-Za-z]+(\\.[A-Za-z]+)*\\b`);

/** Returns texts of the page that are keys of messages: the page did not get the messages that it uses. */
export async function untranslated(page: Page): Promise<string[]> {
  // Names of Redis keys can look like message keys; they are in <bdi>, code and monospaced text, which is skipped.
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!parent?.closest('bdi, code, pre, script, style, .font-mono')) found.push(walker.currentNode.nodeValue ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (!element.closest('bdi, code, pre, .font-mono')) found.push(element.getAttribute(name) ?? '');
    return found;
  });
  return texts.filter((text) => KEY.test(text));
}

import type { AbstractIntlMessages } from 'use-intl';

const parsed = new Map<string, AbstractIntlMessages>();

/**
 * Messages go to the browser as one text: React would copy them value by value, for every page that is sent. The same
 * texts come again with each page (one per route and language), so each is parsed once.
 */
export function parseSentMessages(text: string): AbstractIntlMessages {
  let messages = parsed.get(text);
  if (!messages) {
    messages = JSON.parse(text) as AbstractIntlMessages;
    parsed.set(text, messages);
  }
  return messages;
}

import { defuse, joinLines, requireSuccess, type Send, toMessageLine } from '@/lib/alerts/message';
import { postJson } from '@/lib/alerts/send-http';

const MAX_CHARACTERS = 3500;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Mattermost and others, which accept the same requests, mention people by a bare @ and load pictures of Markdown. */
const escapeForSlack = (text: string): string =>
  defuse(text, /[[\]@*`~#|\\]/g).replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

export const sendToSlack: Send = async ({ url }, message) => {
  const lines = message.items.map((item) => `• ${escapeForSlack(toMessageLine(item, message))}`);
  const head = `*${escapeForSlack(message.title)}*`;
  const text = joinLines([head, ...lines], message, MAX_CHARACTERS, ({ length }) => length);
  requireSuccess(await postJson(url, JSON.stringify({ text })));
};

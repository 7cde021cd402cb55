import { createHmac } from 'node:crypto';
import { defuse, joinLines, readRobotAnswer, type Send, toMessageLine } from '@/lib/alerts/message';
import { postJson } from '@/lib/alerts/send-http';

/** Bytes of the body that Feishu and Lark accept, less what surrounds the text. */
const MAX_BYTES = 20 * 1024 - 1000;
/** Too many requests at the moment. */
const BUSY = [11232];

/** `seconds`: epoch. The text is the key here, and the message is empty. */
export const signForFeishu = (secret: string, seconds: number): string =>
  createHmac('sha256', `${seconds}\n${secret}`).update('').digest('base64');

export const sendToFeishu: Send = async ({ url, secret }, message, now) => {
  const seconds = Math.floor(now / 1000);
  const signed = secret !== '' && { timestamp: String(seconds), sign: signForFeishu(secret, seconds) };
  const lines = message.items.map((item) => defuse(toMessageLine(item, message)));
  const measure = (text: string) => Buffer.byteLength(JSON.stringify(text));
  const isBad = message.items.some(({ isResolved }) => !isResolved);
  const card = {
    header: {
      title: { tag: 'plain_text', content: defuse(message.title) },
      template: isBad ? 'red' : 'green',
    },
    elements: [{ tag: 'div', text: { tag: 'plain_text', content: joinLines(lines, message, MAX_BYTES, measure) } }],
  };
  const answer = await postJson(url, JSON.stringify({ ...signed, msg_type: 'interactive', card }));
  // Older answers have only `StatusCode`.
  readRobotAnswer(
    answer,
    ({ code, StatusCode, msg, StatusMessage }) => ({ code: code ?? StatusCode, text: msg ?? StatusMessage }),
    BUSY,
  );
};

import { createHmac } from 'node:crypto';
import { defuse, joinLines, readRobotAnswer, type Send, toMessageLine } from '@/lib/alerts/message';
import { postJson } from '@/lib/alerts/send-http';

/** Bytes of the body that DingTalk accepts, less what surrounds the text. */
const MAX_BYTES = 20_000 - 1000;
/** Too fast, banned for a while, and "the system is busy". */
const BUSY = [130101, 410100, -1];

/** `now`: epoch ms. */
export const signForDingTalk = (secret: string, now: number): string =>
  createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64');

export const sendToDingTalk: Send = async ({ url, secret }, message, now) => {
  const address = new URL(url);
  if (secret !== '') {
    address.searchParams.set('timestamp', String(now));
    address.searchParams.set('sign', signForDingTalk(secret, now));
  }
  const title = defuse(message.title);
  const lines = message.items.map((item) => `- ${defuse(toMessageLine(item, message))}`);
  // JSON writes quotes and line breaks as two bytes.
  const measure = (text: string) => Buffer.byteLength(JSON.stringify(text));
  const text = joinLines([`#### ${title}`, ...lines], message, MAX_BYTES, measure);
  const at = { atMobiles: [], isAtAll: false };
  const answer = await postJson(address.href, JSON.stringify({ msgtype: 'markdown', markdown: { title, text }, at }));
  readRobotAnswer(answer, ({ errcode, errmsg }) => ({ code: errcode, text: errmsg }), BUSY);
};

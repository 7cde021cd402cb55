import { defuse, joinLines, readRobotAnswer, type Send, toMessageLine } from '@/lib/alerts/message';
import { postJson } from '@/lib/alerts/send-http';

/** Bytes of the text that the robot accepts in Markdown. */
const MAX_BYTES = 4096;
/** Too fast, and "the system is busy". */
const BUSY = [45009, -1];

/** This robot knows no signature: the address is the secret. */
export const sendToWeCom: Send = async ({ url }, message) => {
  const lines = message.items.map((item) => `- ${defuse(toMessageLine(item, message))}`);
  const content = joinLines([`**${defuse(message.title)}**`, ...lines], message, MAX_BYTES);
  const answer = await postJson(url, JSON.stringify({ msgtype: 'markdown', markdown: { content } }));
  readRobotAnswer(answer, ({ errcode, errmsg }) => ({ code: errcode, text: errmsg }), BUSY);
};

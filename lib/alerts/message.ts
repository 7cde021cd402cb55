import type { SmtpSettings } from '@/lib/model/alerts/channel';
import type { ChannelKind, Severity } from '@/lib/model/alerts/vocabulary';
import { SendError } from './send-error';

/** One line of a message. `text` and `subject` may hold names of keys, which are hostile: each channel escapes them. */
export interface MessageItem {
  /** The same for the firing and the resolved item. */
  fingerprint: string;
  isResolved: boolean;
  severity: Severity;
  rule: string;
  instance: string | null;
  subject: string;
  team: string | null;
  /** One sentence. */
  text: string;
  /** When it began to fire, and when it was resolved, epoch ms. */
  firedAt: number;
  resolvedAt: number | null;
  link: string | null;
}

/** What is sent to a channel at once. */
export interface Message {
  /** The same for all tries. */
  id: string;
  title: string;
  items: MessageItem[];
  /** Marks of the language of the channel. */
  words: { resolved: string; severity: Record<Severity, string>; more: string };
  /** Page of the alerts; null = the address of this server is not set. */
  link: string | null;
}

/** A channel with its secrets opened. Keep it in memory only. */
export interface OpenChannel {
  kind: ChannelKind;
  url: string;
  secret: string;
  /** The secret before, while receivers change over; empty = none. */
  previousSecret: string;
  smtp: SmtpSettings | null;
}

/** Sends a message; throws `SendError` unless the receiver has accepted it. `now`: epoch ms. */
export type Send = (channel: OpenChannel, message: Message, now: number) => Promise<void>;

/** Returns the message as lines: mark, sentence and nothing else. */
export const toMessageLine = (item: MessageItem, { words }: Message): string =>
  `[${item.isResolved ? words.resolved : words.severity[item.severity]}] ${item.text}`;

/** A longer message is read by nobody. */
const MAX_LINES = 300;

/**
 * Joins the lines, as many whole ones as fit into `maxSize`, measured by `measure`. The end says how many are left out
 * and where they are.
 */
export function joinLines(
  lines: readonly string[],
  { words, link }: Message,
  maxSize: number,
  measure: (text: string) => number = (text) => Buffer.byteLength(text),
): string {
  const end = (left: number) => [...(left > 0 ? [`+${left} ${words.more}`] : []), ...(link ? [link] : [])];
  const size = (count: number) => measure([...lines.slice(0, count), ...end(lines.length - count)].join('\n\n'));
  let count = Math.min(lines.length, MAX_LINES);
  while (count > 0 && size(count) > maxSize) count--;
  return [...lines.slice(0, count), ...end(lines.length - count)].join('\n\n');
}

const FULL_WIDTH: Record<string, string> = {
  '<': '＜',
  '>': '＞',
  '[': '［',
  ']': '］',
  '@': '＠',
  '*': '＊',
  '`': '｀',
  '~': '～',
  '#': '＃',
  '|': '｜',
  '\\': '＼',
};

/**
 * Replaces every character that could mention people, load a picture or change the format in the Markdown of a chat by
 * its full-width form. These programs know no escapes, so the name stays readable but cannot be copied.
 */
export const defuse = (text: string, characters = /[<>[\]@*`~#|\\]/g): string =>
  text
    .replace(characters, (character) => FULL_WIDTH[character] ?? character)
    // Chats make links of addresses in texts and load a preview of what is there.
    .replace(/:(?=\/\/)/g, '：')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}．`);

/**
 * Reads the answer of a robot, which refuses with HTTP 200: only the code in the body counts. `busy`: codes after which
 * another try may succeed.
 */
export function readRobotAnswer(
  { status, body, retryAfterMs }: { status: number; body: string; retryAfterMs: number | null },
  readCode: (answer: Record<string, unknown>) => { code: unknown; text: unknown },
  busy: readonly number[],
): void {
  const isBusyStatus = status === 429 || status >= 500;
  let answer: Record<string, unknown> | null = null;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null) answer = parsed as Record<string, unknown>;
  } catch {}
  const { code, text } = answer ? readCode(answer) : { code: undefined, text: undefined };
  if (status >= 200 && status < 300 && code === 0) return;
  const shownText = typeof text === 'string' ? text.slice(0, 300) : 'It did not answer as such a robot does.';
  const isFinal = !isBusyStatus && answer !== null && !busy.includes(Number(code));
  const shownCode = typeof code === 'number' ? String(code) : `HTTP ${status}`;
  throw new SendError(shownCode, shownText, isFinal, retryAfterMs ?? undefined);
}

/** Accepts an answer of status 2xx. Others are final, except 408, 425, 429 and 5xx. */
export function requireSuccess({
  status,
  body,
  retryAfterMs,
}: {
  status: number;
  body: string;
  retryAfterMs: number | null;
}) {
  if (status >= 200 && status < 300) return;
  const isFinal = status < 500 && ![408, 425, 429].includes(status);
  throw new SendError(`HTTP ${status}`, body.slice(0, 300), isFinal, retryAfterMs ?? undefined);
}

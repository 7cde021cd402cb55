import type { ShownAlert } from '@/lib/model/alerts/alert';
import { MESSAGE_WORDS, SEVERITY_WORDS, wordAlert } from '@/lib/model/alerts/alert-words';
import type { Channel } from '@/lib/model/alerts/channel';
import { ruleById } from '@/lib/rules/catalogue';
import { config } from '@/lib/runtime/config';
import type { DeliveryItem, StoredDelivery } from '@/lib/store/alerts/deliveries';
import type { Message, MessageItem } from './message';

/** Puts a delivery into the words of its channel. */
export function buildMessage(
  { id, reason, items }: Pick<StoredDelivery, 'id' | 'reason' | 'items'>,
  { language, zone }: Pick<Channel, 'language' | 'zone'>,
): Message {
  const words = MESSAGE_WORDS[language];
  const firing = items.filter(({ isResolved }) => !isResolved).length;
  const counts = [
    ...(firing > 0 ? [words.firing(firing)] : []),
    ...(items.length > firing ? [words.resolvedCount(items.length - firing)] : []),
  ];
  const notes = [...counts, ...(reason === 'repeat' || reason === 'failedChannel' ? [words[reason]] : [])];
  const severity = SEVERITY_WORDS[language];
  return {
    id,
    title: reason === 'test' ? `Colonnade: ${words.test}` : `Colonnade: ${notes.join(', ')}`,
    items:
      reason === 'test'
        ? [buildTestItem(id, words.test)]
        : [...items].sort(compareItems).map((item) => toMessageItem(item, language, zone)),
    words: { resolved: words.resolved, severity, more: words.more },
    link: config.publicOrigin === null ? null : `${config.publicOrigin}/alerts`,
  };
}

/** It takes the way of an alert through the channel. An Alertmanager ends it after five minutes. */
const buildTestItem = (id: string, text: string): MessageItem => ({
  ...{ fingerprint: id, isResolved: false, severity: 'info', rule: 'ColonnadeTest', instance: null, subject: '' },
  ...{ team: null, text, firedAt: Date.now(), resolvedAt: null, link: null },
});

const toPlace = ({ instanceName, subject }: DeliveryItem) => `${instanceName ?? ''}\n${subject}`;
const RANKS = { critical: 0, warning: 1, info: 2 };
/** What fires comes first, the most severe at the top. */
const compareItems = (one: DeliveryItem, other: DeliveryItem): number =>
  Number(one.isResolved) - Number(other.isResolved) ||
  RANKS[one.severity] - RANKS[other.severity] ||
  (toPlace(one) < toPlace(other) ? -1 : 1);

function toMessageItem(item: DeliveryItem, language: Channel['language'], zone: string): MessageItem {
  const { fingerprint, isResolved, severity, ruleName, instanceName, instanceId, subject, team } = item;
  return {
    ...{ fingerprint, isResolved, severity, subject, team },
    rule: ruleName,
    instance: instanceName,
    text: wordAlert(
      { ...item, ruleTitle: findRuleTitle(item)?.[language] ?? null },
      isResolved,
      language,
      createFormats(language, zone),
    ),
    firedAt: item.firedAt,
    resolvedAt: item.resolvedAt,
    link: config.publicOrigin === null || instanceId === null ? null : `${config.publicOrigin}/instances/${instanceId}`,
  };
}

/** The title of the rule of a standard that an alert is about; null = it is about something else, or a custom rule. */
export function findRuleTitle({ kind, subject }: Pick<DeliveryItem, 'kind' | 'subject'>): ShownAlert['ruleTitle'] {
  const text = kind === 'newRule' ? ruleById.get(subject)?.text : undefined;
  return text ? { en: text.en.title, 'zh-CN': text['zh-CN'].title } : null;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function createFormats(language: Channel['language'], zone: string) {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return {
    number: (value: number) => number.format(value),
    bytes(value: number) {
      const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
      return `${number.format(value / 1024 ** unit)} ${UNITS[unit]}`;
    },
    time: (at: number) => `${formatMinute(at, zone)} ${zone}`,
  };
}

const minuteFormats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD HH:MM` in a zone. */
export function formatMinute(at: number, zone: string): string {
  const known = minuteFormats.get(zone);
  const format =
    known ??
    new Intl.DateTimeFormat('sv-SE', {
      ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
      hourCycle: 'h23',
    });
  if (!known) minuteFormats.set(zone, format);
  return format.format(at);
}

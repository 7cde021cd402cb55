/** What alerts say, in both languages, for messages and pages alike. */

import type { AlertFacts } from './alert';
import type { AlertKind, Metric, Severity } from './vocabulary';

export type AlertLanguage = 'en' | 'zh-CN';

/** How numbers and times are written: messages and pages have different zones. */
export interface AlertFormats {
  time(at: number): string;
  number(value: number): string;
  bytes(value: number): string;
}

interface Worded {
  kind: AlertKind;
  metric: Metric | null;
  ruleName: string;
  /** Of the rule of a standard that `subject` names; null = it is none, or it is not known. */
  ruleTitle: string | null;
  instanceName: string | null;
  /** As it shall be shown. */
  subject: string;
  facts: AlertFacts;
}

const METRIC_WORDS: Record<AlertLanguage, Record<Metric, string>> = {
  en: {
    keys: 'number of keys',
    bytes: 'memory of the keys',
    bigkeys: 'number of bigkeys',
    noExpiryKeys: 'number of keys without expiry',
    mandatoryKeys: 'number of keys that violate mandatory rules',
    score: 'score',
  },
  'zh-CN': {
    keys: '键数量',
    bytes: '键占用内存',
    bigkeys: '大 key 数量',
    noExpiryKeys: '未设过期的键数量',
    mandatoryKeys: '违反强制规则的键数量',
    score: '得分',
  },
};

export const SEVERITY_WORDS: Record<AlertLanguage, Record<Severity, string>> = {
  en: { critical: 'critical', warning: 'warning', info: 'info' },
  'zh-CN': { critical: '严重', warning: '警告', info: '提示' },
};

export const MESSAGE_WORDS = {
  en: {
    resolved: 'resolved',
    more: 'more',
    test: 'This is a test message. The channel works.',
    firing: (count: number) => (count === 1 ? '1 alert' : `${count} alerts`),
    resolvedCount: (count: number) => `${count} resolved`,
    repeat: 'still firing',
    failedChannel: 'not delivered by its own channel',
  },
  'zh-CN': {
    resolved: '已解除',
    more: '条',
    test: '这是一条测试消息，通知渠道可用。',
    firing: (count: number) => `${count} 条告警`,
    resolvedCount: (count: number) => `${count} 条已解除`,
    repeat: '仍在告警',
    failedChannel: '原渠道投递失败',
  },
} as const;

const KIND_WORDS: Record<AlertLanguage, Record<AlertKind, string>> = {
  en: {
    threshold: 'Threshold',
    newRule: 'New finding of a mandatory rule',
    newBigkey: 'New bigkey',
    stormAhead: 'Expiry storm ahead',
    partial: 'Incomplete scan',
    scanFailed: 'Scan failed',
    notScanned: 'Scan overdue',
    channelFailing: 'Channel fails',
  },
  'zh-CN': {
    threshold: '阈值',
    newRule: '新增强制规则违规',
    newBigkey: '新增大 key',
    stormAhead: '即将集中过期',
    partial: '扫描不完整',
    scanFailed: '扫描失败',
    notScanned: '扫描超期',
    channelFailing: '通知渠道故障',
  },
};

export const nameKind = (kind: AlertKind, language: AlertLanguage): string => KIND_WORDS[language][kind];

/** The name of a rule as it is shown. A rule that Colonnade made is named by its kind. */
export const nameAlertRule = (name: string, kind: AlertKind, language: AlertLanguage): string =>
  name === kind ? nameKind(kind, language) : name;

/** Returns one sentence about an alert. `isResolved`: that it is over. */
export function wordAlert(alert: Worded, isResolved: boolean, language: AlertLanguage, formats: AlertFormats): string {
  const named = { ...alert, ruleName: nameAlertRule(alert.ruleName, alert.kind, language) };
  const words =
    language === 'en' ? wordInEnglish(named, isResolved, formats) : wordInChinese(named, isResolved, formats);
  const where = alert.instanceName ?? '';
  return where === '' ? words : language === 'en' ? `${where}: ${words}` : `${where}：${words}`;
}

const formatMetric = (metric: Metric | null, value: number | null, { number, bytes }: AlertFormats): string =>
  value === null ? '–' : metric === 'bytes' ? bytes(value) : number(value);

const countKeys = (value: number, number: AlertFormats['number']) => (value === 1 ? '1 key' : `${number(value)} keys`);

function wordInEnglish(
  { kind, metric, ruleName, ruleTitle, subject, facts }: Worded,
  over: boolean,
  formats: AlertFormats,
): string {
  const { number, bytes, time } = formats;
  const { value, limit, reason, more } = facts;
  const named = `Rule ${subject}${ruleTitle ? ` (${ruleTitle})` : ''}`;
  const at = limit === null ? '–' : time(limit);
  if (more > 0) return `${number(more)} more of "${ruleName}" are not listed one by one.`;
  switch (kind) {
    case 'threshold': {
      const what = METRIC_WORDS.en[metric ?? 'keys'];
      const [now, bound] = [formatMetric(metric, value, formats), formatMetric(metric, limit, formats)];
      return over ? `The ${what} is ${now} again (limit ${bound}).` : `The ${what} is ${now} (limit ${bound}).`;
    }
    case 'newRule':
      return over
        ? `${named} has no more findings than before.`
        : `${named} is newly violated${value === null ? '' : ` by ${countKeys(value, number)}`}${reason ? `, for example ${reason}` : ''}.`;
    case 'newBigkey':
      return over
        ? `${subject} is no longer a bigkey.`
        : `${subject} is a new bigkey${value === null ? '' : ` (${bytes(value)})`}.`;
    case 'stormAhead':
      if (reason === 'expiringBigkey')
        return over
          ? `The bigkey ${subject} no longer expires soon.`
          : `The bigkey ${subject} expires at ${at} and blocks the server while it is freed.`;
      return over
        ? `The keys of ${subject} no longer expire together.`
        : `${value === null ? 'Some keys' : countKeys(value, number)} of ${subject} expire in one minute, at ${at}.`;
    case 'partial':
      return over ? 'The last scan read everything.' : 'The last scan could not read everything.';
    case 'scanFailed':
      return over ? 'The scan succeeded again.' : `The scan failed${reason ? ` (${reason})` : ''}.`;
    case 'notScanned':
      return over ? 'It was scanned again.' : `It was not scanned completely since ${at}.`;
    case 'channelFailing':
      return over
        ? `The channel ${subject} delivers messages again.`
        : `The channel ${subject} has delivered no message since ${at}.`;
  }
}

function wordInChinese(
  { kind, metric, ruleName, ruleTitle, subject, facts }: Worded,
  over: boolean,
  formats: AlertFormats,
): string {
  const { number, bytes, time } = formats;
  const { value, limit, reason, more } = facts;
  const count = value === null ? '部分' : ` ${number(value)} 个`;
  const named = `规则 ${subject}${ruleTitle ? `（${ruleTitle}）` : ''}`;
  const at = limit === null ? '–' : time(limit);
  if (more > 0) return `“${ruleName}”另有 ${number(more)} 项未逐条列出。`;
  switch (kind) {
    case 'threshold': {
      const what = METRIC_WORDS['zh-CN'][metric ?? 'keys'];
      const [now, bound] = [formatMetric(metric, value, formats), formatMetric(metric, limit, formats)];
      return over ? `${what}已回到 ${now}（阈值 ${bound}）。` : `${what}为 ${now}（阈值 ${bound}）。`;
    }
    case 'newRule':
      return over
        ? `${named}的违规不再多于之前。`
        : `${named}新增违规${value === null ? '' : `，共 ${number(value)} 个键`}${reason ? `，例如 ${reason}` : ''}。`;
    case 'newBigkey':
      return over
        ? `${subject} 不再是大 key。`
        : `新增大 key ${subject}${value === null ? '' : `（${bytes(value)}）`}。`;
    case 'stormAhead':
      if (reason === 'expiringBigkey')
        return over ? `大 key ${subject} 近期不再过期。` : `大 key ${subject} 将于 ${at} 过期，释放时会阻塞服务器。`;
      return over ? `${subject} 的键不再集中过期。` : `${subject} 有${count}键将在 ${at} 的同一分钟内过期。`;
    case 'partial':
      return over ? '最近一次扫描已读取完整。' : '最近一次扫描未能读取完整。';
    case 'scanFailed':
      return over ? '扫描已成功。' : `扫描失败${reason ? `（${reason}）` : ''}。`;
    case 'notScanned':
      return over ? '已重新扫描。' : `自 ${at} 起没有完整扫描。`;
    case 'channelFailing':
      return over ? `通知渠道 ${subject} 投递已正常。` : `通知渠道 ${subject} 自 ${at} 起投递失败。`;
  }
}

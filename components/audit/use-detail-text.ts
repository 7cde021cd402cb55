import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { translateIfKnown } from '@/components/data/translate-if-known';
import { toVisibleText } from '@/components/ui/visible-text';
import type { AuditRow } from '@/lib/model/audit';

/** Fields whose values are words of Colonnade, not of a person or a server. */
const WORDS: ReadonlySet<string> = new Set([
  ...['kind', 'speed', 'from', 'to', 'was', 'state', 'task', 'role', 'needs', 'topology'],
  ...['because', 'why', 'refusal', 'items', 'item', 'consents', 'mode'],
]);
/** Fields whose numbers are times, epoch ms. */
const MOMENTS: ReadonlySet<string> = new Set(['expiresAt', 'at', 'lastAt']);

/**
 * The details of a row besides who, what and when: each field with its name, and Colonnade's own words translated.
 * Fields without a value are left out. A field without a name here (written by a newer server) is shown as it was
 * written.
 */
export function useDetailText(): (row: Pick<AuditRow, 'details'>) => string {
  const t = useTranslations('audit');
  const f = useFormat();
  const translateWord = (name: string, text: string) =>
    (WORDS.has(name) ? translateIfKnown(t, `value.${text}`) : null) ?? toVisibleText(text);
  const formatDetail = (name: string, value: unknown): string => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
    if (typeof value === 'number')
      return MOMENTS.has(name) ? f.dateTime(value) : name === 'bytes' ? f.bytes(value) : f.number(value);
    if (typeof value === 'string') return translateWord(name, value);
    if (Array.isArray(value)) return joinTexts(value.map((item) => formatDetail(name, item)));
    const { host, port, ...rest } = value as Record<string, unknown>;
    if (typeof host === 'string') return `${toVisibleText(host)}:${port}`;
    return joinTexts(Object.entries(rest).map(formatPair));
  };
  const formatPair = ([name, value]: [string, unknown]) => {
    const text = formatDetail(name, value);
    return text && t('pair', { name: translateIfKnown(t, `detail.${name}`) ?? toVisibleText(name), value: text });
  };
  return ({ details }) => joinTexts(Object.entries(details).map(formatPair), ' · ');
}

const joinTexts = (texts: readonly string[], separator = ', ') => texts.filter(Boolean).join(separator);

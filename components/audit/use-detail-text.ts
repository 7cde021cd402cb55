import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { textOf } from '@/components/data/text-of';
import { visibleText } from '@/components/ui/visible-text';
import type { AuditRow } from '@/lib/model/audit';

/** Fields whose values are words of Colonnade, not of a person or a server. */
const WORDS: ReadonlySet<string> = new Set([
  ...['kind', 'speed', 'from', 'to', 'was', 'state', 'task', 'role', 'needs', 'topology'],
  ...['because', 'why', 'refusal', 'items', 'item', 'consents', 'mode'],
]);
const MOMENTS: ReadonlySet<string> = new Set(['expiresAt', 'at', 'lastAt']);

/**
 * The details of a row besides who, what and when: each field with its name, and Colonnade's own words translated.
 * Fields without a value are left out. A field without a name here (written by a newer server) is shown as it was
 * written.
 */
export function useDetailText(): (row: Pick<AuditRow, 'details'>) => string {
  const t = useTranslations('audit');
  const f = useFormat();
  const word = (name: string, text: string) =>
    (WORDS.has(name) ? textOf(t, `value.${text}`) : null) ?? visibleText(text);
  const said = (name: string, value: unknown): string => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
    if (typeof value === 'number')
      return MOMENTS.has(name) ? f.dateTime(value) : name === 'bytes' ? f.bytes(value) : f.number(value);
    if (typeof value === 'string') return word(name, value);
    if (Array.isArray(value)) return allOf(value.map((one) => said(name, one)));
    const { host, port, ...rest } = value as Record<string, unknown>;
    if (typeof host === 'string') return `${visibleText(host)}:${port}`;
    return allOf(Object.entries(rest).map(([part, one]) => named(labelOf(part), said(part, one))));
  };
  const labelOf = (name: string) => textOf(t, `detail.${name}`) ?? visibleText(name);
  const named = (name: string, value: string) => (value === '' ? '' : t('pair', { name, value }));
  return ({ details }) =>
    Object.entries(details)
      .map(([name, value]) => named(labelOf(name), said(name, value)))
      .filter((text) => text !== '')
      .join(' · ');
}

const allOf = (texts: readonly string[]) => texts.filter((text) => text !== '').join(', ');

import { useTranslations } from 'use-intl';
import { formatK } from '@/components/data/format/format-k';
import { KeyName } from '@/components/ui/key-name';
import type { Selection } from '@/lib/model/deletions/plan-request';

/** The chosen keys in one line: their names, or the filter that selected them. */
export function SelectionText({ selection, max = 60 }: { selection: Selection; max?: number }) {
  const t = useTranslations('deletions.list');
  if (selection.by === 'keys') {
    const [first, ...more] = selection.keys;
    return (
      <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-x-1.5">
        {first ? <KeyName name={formatK(first.k)} max={max} /> : null}
        {more.length > 0 ? <span className="whitespace-nowrap">{t('more', { count: more.length })}</span> : null}
      </span>
    );
  }
  const { prefix, template, ...rest } = selection.filter;
  const others = Object.entries(rest).filter(([, value]) => value !== undefined);
  const [node, ...nodes] = selection.nodes ?? [];
  const names = [prefix === undefined ? null : `${prefix}*`, template ?? null, node?.path ?? null].filter(
    (name) => name !== null,
  );
  if (names.length === 0 && others.length === 0) return t('everyKey');
  return (
    <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-x-1.5">
      {names.map((name) => (
        <KeyName key={name} name={name} max={max} />
      ))}
      {nodes.length > 0 ? <span className="whitespace-nowrap">{t('more', { count: nodes.length })}</span> : null}
      {others.map(([name, value]) => (
        <KeyName key={name} name={`${name}=${String(value)}`} max={max} />
      ))}
    </span>
  );
}

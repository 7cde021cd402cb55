import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { usePersonName } from '@/components/data/format/use-person-name';
import { auditExportUrl, useAuditChoices } from '@/components/data/queries/use-audit-log';
import { useInstances } from '@/components/data/queries/use-instances';
import { FileMenu } from '@/components/reports/files/file-menu';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { SelectOption } from '@/components/ui/forms/select-option';
import { toVisibleText } from '@/components/ui/visible-text';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { formatAction } from './action-text';
import type { AuditFilterState } from './use-audit-filter';

/** The value of the option for "no filter", because values of a select list must not be empty. */
const ALL = '*';

/** The filter of the audit log, and the menu that exports the rows under it. */
export function AuditFilterBar({ filter, query, isSet, change, clear }: AuditFilterState) {
  const t = useTranslations('audit');
  const personName = usePersonName();
  const words = useTranslations('filters.export');
  const { data: choices } = useAuditChoices();
  const { data: instances } = useInstances();
  const files = [{ name: '', href: (format: FileFormat) => auditExportUrl(format, query) }];
  const actions = (choices?.actions ?? []).map((action) => ({
    value: action,
    label: formatAction(t, action),
  }));
  const select = (name: 'person' | 'action' | 'instance', options: SelectOption[]) => {
    const value = filter[name];
    // A value from the address that the list does not contain stays selected.
    const missing = value === null || options.some((option) => option.value === value) ? [] : [{ value, label: value }];
    return (
      <Select
        aria-label={t(`filter.${name}`)}
        className="w-full sm:w-44"
        value={value ?? ALL}
        onValueChange={(next) => change({ [name]: next === ALL ? null : next })}
        options={[{ value: ALL, label: t(`filter.${name}All`) }, ...missing, ...options]}
      />
    );
  };
  return (
    <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      {select(
        'person',
        (choices?.people ?? []).map((name) => ({ value: name, label: <bdi>{personName(name)}</bdi> })),
      )}
      {select('action', actions)}
      {select(
        'instance',
        (instances ?? []).map(({ id, name }) => ({ value: id, label: <bdi>{toVisibleText(name)}</bdi> })),
      )}
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="flex min-w-0 items-center gap-1.5 text-muted-foreground text-sm">
          <label htmlFor={`audit-${name}`} className="shrink-0">
            {t(`filter.${name}`)}
          </label>
          <Input
            id={`audit-${name}`}
            type="date"
            className="sm:w-36"
            value={filter[name] ?? ''}
            onChange={(event) => change({ [name]: event.target.value || null })}
          />
        </div>
      ))}
      {isSet ? (
        <Button variant="ghost" onClick={clear}>
          <X aria-hidden />
          {t('filter.clear')}
        </Button>
      ) : null}
      <div className="grid sm:ml-auto">
        <FileMenu label={words('rowsLabel')} hint={t('exportHint')} files={files} />
      </div>
    </div>
  );
}

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useInstances } from '@/components/data/queries/use-instances';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { Grant } from '@/lib/model/access';

const KINDS = ['instance', 'environment', 'tag'] as const;
const ROLES = ['viewer', 'operator', 'admin'] as const;

/** Grants: a higher role than the person's own, on one instance, on all of an environment, or on all with a tag. */
export function GrantFields({ grants, onChange }: { grants: Grant[]; onChange: (grants: Grant[]) => void }) {
  const t = useTranslations('users.grant');
  const roles = useTranslations('account.role');
  const { data: instances = [] } = useInstances();
  const change = (index: number, patch: Partial<Grant>) =>
    onChange(grants.map((grant, i) => (i === index ? { ...grant, ...patch } : grant)));
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">{t('title')}</legend>
      <p className="text-muted-foreground text-xs">{t('text')}</p>
      {grants.map((grant, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity until saved
        <div key={i} className="flex flex-wrap items-center gap-2">
          <Select
            className="w-32"
            aria-label={t('kind')}
            value={grant.kind}
            onValueChange={(kind) => change(i, { kind, value: '' })}
            options={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          />
          {grant.kind === 'instance' ? (
            <Select
              className="min-w-32 flex-1"
              aria-label={t('value')}
              value={grant.value || undefined}
              placeholder={t('choose')}
              onValueChange={(value) => change(i, { value })}
              options={instances.map(({ id, name }) => ({ value: id, label: name }))}
            />
          ) : (
            <Input
              className="min-w-32 flex-1"
              aria-label={t('value')}
              value={grant.value}
              maxLength={64}
              onChange={(event) => change(i, { value: event.target.value })}
            />
          )}
          <Select
            className="w-32"
            aria-label={t('role')}
            value={grant.role}
            onValueChange={(role) => change(i, { role })}
            options={ROLES.map((value) => ({ value, label: roles(value) }))}
          />
          <Button
            size="iconSm"
            variant="ghost"
            aria-label={t('remove', { number: i + 1 })}
            onClick={() => onChange(grants.filter((other) => other !== grant))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      <Button size="sm" onClick={() => onChange([...grants, { kind: 'instance', value: '', role: 'operator' }])}>
        <Plus aria-hidden />
        {t('add')}
      </Button>
    </fieldset>
  );
}

import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useTeams } from '@/components/data/queries/accounts/use-teams';
import type { FindingsScope } from '@/components/data/queries/use-findings';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/forms/select';
import { KeyName } from '@/components/ui/key-name';
import { visibleText } from '@/components/ui/visible-text';
import { nameKey } from '@/lib/model/accounts/name-key';

const NOBODY = '-';
const ALL = '*';

/** Narrowed to a prefix or a team: what is shown is about those keys only. */
export function ScopeBar(props: {
  scope: FindingsScope;
  onChange: (scope: FindingsScope) => void;
  teams: readonly (string | null)[];
}) {
  const t = useTranslations('findings.scope');
  const { scope, onChange } = props;
  const path = scope.template ?? scope.prefix;
  // A team that a shared address names may own nothing here.
  const asked = scope.owner === undefined || scope.owner === NOBODY ? [] : [scope.owner];
  const teams = [...new Set([...props.teams.filter((team): team is string => team !== null), ...asked])];
  const mine = new Set((useTeams().data ?? []).filter((team) => team.mine).map(({ name }) => nameKey(name)));
  const isMine = (team: string) => mine.has(nameKey(team));
  teams.sort((one, other) => Number(isMine(other)) - Number(isMine(one)));
  if (path === undefined && teams.length === 0 && scope.owner === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      {path === undefined ? null : (
        <span className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-md border bg-surface pl-2">
          <span className="text-muted-foreground text-xs">{t('prefix')}</span>
          <KeyName name={path} max={48} />
          <Button variant="ghost" size="iconXs" aria-label={t('all')} onClick={() => onChange({ owner: scope.owner })}>
            <X aria-hidden />
          </Button>
        </span>
      )}
      <Select
        size="sm"
        aria-label={t('team')}
        value={scope.owner ?? ALL}
        onValueChange={(team) => onChange({ ...scope, owner: team === ALL ? undefined : team })}
        options={[
          { value: ALL, label: t('everybody') },
          ...teams.map((team) => ({
            value: team,
            label: isMine(team) ? t('mine', { team: visibleText(team) }) : visibleText(team),
          })),
          { value: NOBODY, label: t('nobody') },
        ]}
      />
    </div>
  );
}

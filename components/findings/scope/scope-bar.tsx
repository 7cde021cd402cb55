import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useTeams } from '@/components/data/queries/accounts/use-teams';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/forms/select';
import { KeyName } from '@/components/ui/key-name';
import { toVisibleText } from '@/components/ui/visible-text';
import { toNameKey } from '@/lib/model/accounts/name-key';
import type { FindingsReport } from '@/lib/model/rules/findings';
import { useScope } from './use-scope';

/** Value of `owner` in the address for keys without an owner. */
const NOBODY = '-';
/** Value of the selection for all keys. The address has no `owner` then. */
const ALL = '*';

/**
 * Says that the page is limited to a prefix or a team. It reads the address, so it is shown before the first answer
 * too, and also after an error, because the limit may be the reason.
 */
export function ScopeBar({ report }: { report: Pick<FindingsReport, 'owners'> | null }) {
  const t = useTranslations('findings.scope');
  const { scope, set } = useScope();
  const path = scope.template ?? scope.prefix;
  const owners = (report === null ? [] : report.owners).map((owner) => owner.team).filter((team) => team !== null);
  // A team in a shared address may own no key of this instance, but is chosen nevertheless.
  const chosen = scope.owner === undefined || scope.owner === NOBODY ? [] : [scope.owner];
  const teams = [...new Set([...owners, ...chosen])];
  const choosable = teams.length > 0 || scope.owner !== undefined;
  if (path === undefined && !choosable) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      {path === undefined ? null : (
        <span className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-md border bg-surface pl-2">
          <span className="text-muted-foreground text-xs">{t('prefix')}</span>
          <KeyName name={path} max={48} />
          <Button variant="ghost" size="iconXs" aria-label={t('all')} onClick={() => set({ owner: scope.owner })}>
            <X aria-hidden />
          </Button>
        </span>
      )}
      {choosable ? (
        <TeamSelect
          teams={teams}
          chosen={scope.owner ?? ALL}
          onChoose={(team) => set({ ...scope, owner: team === ALL ? undefined : team })}
        />
      ) : null}
    </div>
  );
}

/** The reader's own teams come first. */
function TeamSelect(props: { teams: string[]; chosen: string; onChoose: (team: string) => void }) {
  const t = useTranslations('findings.scope');
  const mine = new Set((useTeams().data ?? []).filter((team) => team.mine).map(({ name }) => toNameKey(name)));
  const isMine = (team: string) => mine.has(toNameKey(team));
  const teams = props.teams.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)));
  return (
    <Select
      size="sm"
      aria-label={t('team')}
      value={props.chosen}
      onValueChange={props.onChoose}
      options={[
        { value: ALL, label: t('everybody') },
        ...teams.map((team) => ({
          value: team,
          label: isMine(team) ? t('mine', { team: toVisibleText(team) }) : toVisibleText(team),
        })),
        { value: NOBODY, label: t('nobody') },
      ]}
    />
  );
}

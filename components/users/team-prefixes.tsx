import { useTranslations } from 'use-intl';
import { UNKNOWN_TEXT } from '@/components/data/format/use-format';
import { useOwners } from '@/components/data/queries/policies/use-exemptions';
import { useInstances } from '@/components/data/queries/use-instances';
import { KeyName } from '@/components/ui/key-name';
import { toNameKey } from '@/lib/model/accounts/name-key';

/** The prefixes that a team owns, with their instances. At most `max` are shown; the others are counted. */
export function TeamPrefixes({ team, max }: { team: string; max?: number }) {
  const t = useTranslations('users.team');
  const { data: owners } = useOwners(null);
  const { data: instances = [] } = useInstances();
  // The owners are not loaded yet, or reading them was refused, so their number is unknown.
  if (!owners) return <span className="text-muted-foreground">{UNKNOWN_TEXT}</span>;
  const owned = owners.filter((owner) => toNameKey(owner.team) === toNameKey(team));
  if (owned.length === 0) return <span className="text-muted-foreground">{t('noPrefixes')}</span>;
  const shown = owned.slice(0, max ?? owned.length);
  return (
    <ul className="space-y-0.5">
      {shown.map(({ id, prefix, instanceId }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-2">
          <KeyName name={prefix} max={40} />
          <span className="text-muted-foreground text-xs">
            {instanceId === null
              ? t('everyInstance')
              : (instances.find(({ id }) => id === instanceId)?.name ?? UNKNOWN_TEXT)}
          </span>
        </li>
      ))}
      {owned.length > shown.length ? (
        <li className="text-muted-foreground text-xs">{t('more', { count: owned.length - shown.length })}</li>
      ) : null}
    </ul>
  );
}

import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstances } from '@/components/data/queries/use-instances';
import { useErrorText } from '@/components/data/use-error-text';
import { useHere } from '@/components/layout/navigation/use-here';
import {
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '@/components/ui/overlays/dropdown-menu';
import { useGo } from '@/components/ui/underway/use-go';

/**
 * The content of the instance menu. The list is requested when the menu opens, so that no page has to load hundreds of
 * instances for it.
 */
export function InstanceMenu({ instanceId }: { instanceId: string | null }) {
  const t = useTranslations('nav');
  const go = useGo();
  return (
    <DropdownMenuContent align="start" className="w-72">
      <DropdownMenuLabel>{t('groupInstances')}</DropdownMenuLabel>
      <Choices instanceId={instanceId} />
      <May permission="instance.manage">
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => go('/instances/new')}>
          <Plus aria-hidden />
          {t('register')}
        </DropdownMenuItem>
      </May>
    </DropdownMenuContent>
  );
}

function Choices({ instanceId }: { instanceId: string | null }) {
  const t = useTranslations('ui');
  const go = useGo();
  const { page, instanceHref } = useHere();
  const { data, error } = useInstances();
  const errorText = useErrorText();
  // A chosen instance opens on the same page. The edit form belongs to one instance, so the overview opens instead.
  const place = page && page !== '/edit' ? page : '';
  if (!data)
    // A menu may contain only menu items, so this text has no role.
    return <p className="px-2 py-1.5 text-muted-foreground">{error ? errorText(error).title : t('loading')}</p>;
  return data.map(({ id, name, environment }) => (
    <DropdownMenuChoice key={id} checked={id === instanceId} onSelect={() => go(instanceHref(id, place))}>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="text-muted-foreground text-xs">{environment}</span>
    </DropdownMenuChoice>
  ));
}

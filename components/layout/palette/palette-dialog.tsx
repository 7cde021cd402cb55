import { Bookmark, Database, Languages, type LucideIcon, Moon, Plus, Sun } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTheme } from 'next-themes';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useInstances } from '@/components/data/queries/use-instances';
import { useViews } from '@/components/data/queries/use-views';
import { LANGUAGES } from '@/components/layout/menus/language-menu';
import { setLocaleCookie } from '@/components/layout/menus/set-locale';
import { INSTANCE_PLACES, MAIN_PLACES } from '@/components/layout/navigation/places';
import { useHere } from '@/components/layout/navigation/use-here';
import { CommandDialog, CommandGroup, CommandItem } from '@/components/ui/overlays/command';
import { useGo } from '@/components/ui/underway/use-go';
import { linkOfView } from '@/components/views/view-href';
import { PaletteKeys } from './palette-keys';
import { PaletteRules } from './palette-rules';
import type { TypedAhead } from './use-typed-ahead';

/** Pages and actions, found by typing. */
export function PaletteDialog(props: { onOpenChange: (open: boolean) => void; typed: TypedAhead }) {
  const t = useTranslations('nav');
  const { onOpenChange } = props;
  return (
    <CommandDialog
      open
      onOpenChange={onOpenChange}
      title={t('palette')}
      placeholder={t('search')}
      empty={t('paletteEmpty')}
      typed={props.typed}
    >
      <PaletteItems close={() => onOpenChange(false)} />
    </CommandDialog>
  );
}

function PaletteItems({ close }: { close: () => void }) {
  const t = useTranslations('nav');
  const label = useTranslations();
  const router = useRouter();
  const go = useGo();
  const { instanceId, instanceHref } = useHere();
  const { setTheme } = useTheme();
  const instances = useInstances();
  const { data: views } = useViews(instanceId);
  const mayRegister = useMay('instance.manage');
  const run = (action: () => void) => () => {
    close();
    action();
  };
  return (
    <>
      {instanceId ? (
        <CommandGroup heading={t('groupHere')}>
          {INSTANCE_PLACES.map((p) => (
            <Item key={p.label} icon={p.icon} onSelect={run(() => go(instanceHref(instanceId, p.href)))}>
              {label(p.label)}
            </Item>
          ))}
        </CommandGroup>
      ) : null}
      {views && views.length > 0 ? (
        <CommandGroup heading={t('groupViews')}>
          {views.map((view) => (
            <Item
              key={view.id}
              value={`${view.name} ${view.id}`}
              icon={Bookmark}
              onSelect={run(() => go(linkOfView(view)))}
            >
              {view.name}
            </Item>
          ))}
        </CommandGroup>
      ) : null}
      <CommandGroup heading={t('groupInstances')}>
        {(instances.data ?? []).map((i) => (
          <Item
            key={i.id}
            value={`${i.name} ${i.environment} ${i.tags.join(' ')} ${i.id}`}
            icon={Database}
            onSelect={run(() => go(instanceHref(i.id, '')))}
          >
            {i.name}
            <span className="text-muted-foreground text-xs">{i.environment}</span>
          </Item>
        ))}
        {mayRegister ? (
          <Item icon={Plus} onSelect={run(() => go('/instances/new'))}>
            {t('register')}
          </Item>
        ) : null}
      </CommandGroup>
      <CommandGroup heading={t('groupPages')}>
        {MAIN_PLACES.map((p) => (
          <Item key={p.label} icon={p.icon} onSelect={run(() => go(p.href))}>
            {label(p.label)}
          </Item>
        ))}
      </CommandGroup>
      <PaletteRules
        hrefOf={(rule) => (instanceId ? instanceHref(instanceId, `/findings/${encodeURIComponent(rule)}`) : null)}
        go={(href) => run(() => go(href))()}
      />
      {instanceId ? (
        <PaletteKeys href={instanceHref(instanceId, '/keys')} go={(href) => run(() => go(href))()} />
      ) : null}
      <CommandGroup heading={t('groupActions')}>
        <Item icon={Sun} onSelect={run(() => setTheme('light'))}>
          {`${t('theme')}: ${t('themeLight')}`}
        </Item>
        <Item icon={Moon} onSelect={run(() => setTheme('dark'))}>
          {`${t('theme')}: ${t('themeDark')}`}
        </Item>
        {LANGUAGES.map((l) => (
          <Item
            key={l.value}
            icon={Languages}
            onSelect={run(() => {
              setLocaleCookie(l.value);
              router.refresh();
            })}
          >
            {l.name}
          </Item>
        ))}
      </CommandGroup>
    </>
  );
}

function Item(props: { icon: LucideIcon; onSelect: () => void; value?: string; children: ReactNode }) {
  const Icon = props.icon;
  return (
    <CommandItem value={props.value} onSelect={props.onSelect}>
      <Icon aria-hidden />
      {props.children}
    </CommandItem>
  );
}

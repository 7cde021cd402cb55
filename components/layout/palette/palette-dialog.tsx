import {
  BookCheck,
  Bookmark,
  Database,
  Keyboard,
  Languages,
  type LucideIcon,
  Moon,
  Plus,
  Search,
  Sun,
} from 'lucide-react';
import { useTheme } from 'next-themes';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { useInstances } from '@/components/data/queries/use-instances';
import { useViews } from '@/components/data/queries/use-views';
import { LANGUAGES } from '@/components/layout/menus/language-menu';
import { useSetLocale } from '@/components/layout/menus/use-set-locale';
import { INSTANCE_PLACES, MAIN_PLACES } from '@/components/layout/navigation/places';
import { useHere } from '@/components/layout/navigation/use-here';
import { CommandDialog, CommandGroup, CommandItem, MATCHES_ANY_TEXT, useTyped } from '@/components/ui/overlays/command';
import { useGo } from '@/components/ui/underway/use-go';
import { buildViewLink } from '@/components/views/view-href';
import { escapeGlob } from '@/lib/model/text/escape-glob';
import { findGlobFault } from '@/lib/model/text/glob';
import type { TypedAhead } from './use-typed-ahead';

/** Pages and actions, found by typing. */
export function PaletteDialog(props: { onOpenChange: (open: boolean) => void; onHelp: () => void; typed: TypedAhead }) {
  const t = useTranslations('nav');
  const { onOpenChange } = props;
  return (
    <CommandDialog
      onOpenChange={onOpenChange}
      title={t('palette')}
      placeholder={t('search')}
      empty={t('paletteEmpty')}
      typed={props.typed}
    >
      <PaletteItems close={() => onOpenChange(false)} onHelp={props.onHelp} />
    </CommandDialog>
  );
}

function PaletteItems({ close, onHelp }: { close: () => void; onHelp: () => void }) {
  const t = useTranslations('nav');
  const label = useTranslations();
  const setLocale = useSetLocale();
  const go = useGo();
  const { instanceId, instanceHref } = useHere();
  const { setTheme } = useTheme();
  const instances = useInstances();
  const { data: views } = useViews(instanceId);
  const mayRegister = useMay('instance.manage');
  /** Returns a function that closes the palette and then runs the action. */
  const run = (action: () => void) => () => {
    close();
    action();
  };
  const closeAndGo = (href: string) => run(() => go(href))();
  return (
    <>
      {instanceId ? (
        <CommandGroup heading={t('groupHere')}>
          {INSTANCE_PLACES.map((place) => (
            <Item key={place.label} icon={place.icon} onSelect={run(() => go(instanceHref(instanceId, place.href)))}>
              {label(place.label)}
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
              onSelect={run(() => go(buildViewLink(view)))}
            >
              {view.name}
            </Item>
          ))}
        </CommandGroup>
      ) : null}
      <CommandGroup heading={t('groupInstances')}>
        {(instances.data ?? []).map((instance) => (
          <Item
            key={instance.id}
            value={`${instance.name} ${instance.environment} ${instance.tags.join(' ')} ${instance.id}`}
            icon={Database}
            onSelect={run(() => go(instanceHref(instance.id, '')))}
          >
            {instance.name}
            <span className="text-muted-foreground text-xs">{instance.environment}</span>
          </Item>
        ))}
        {mayRegister ? (
          <Item icon={Plus} onSelect={run(() => go('/instances/new'))}>
            {t('register')}
          </Item>
        ) : null}
      </CommandGroup>
      <CommandGroup heading={t('groupPages')}>
        {MAIN_PLACES.map((place) => (
          <Item key={place.label} icon={place.icon} onSelect={run(() => go(place.href))}>
            {label(place.label)}
          </Item>
        ))}
      </CommandGroup>
      <PaletteRules
        buildHref={(rule) => (instanceId ? instanceHref(instanceId, `/findings/${encodeURIComponent(rule)}`) : null)}
        go={closeAndGo}
      />
      {instanceId ? <PaletteKeys href={instanceHref(instanceId, '/keys')} go={closeAndGo} /> : null}
      <CommandGroup heading={t('groupActions')}>
        <Item icon={Keyboard} onSelect={run(onHelp)}>
          {t('keyboard.title')}
        </Item>
        <Item icon={Sun} onSelect={run(() => setTheme('light'))}>
          {`${t('theme')}: ${t('themeLight')}`}
        </Item>
        <Item icon={Moon} onSelect={run(() => setTheme('dark'))}>
          {`${t('theme')}: ${t('themeDark')}`}
        </Item>
        {LANGUAGES.map(({ value, name }) => (
          <Item key={value} icon={Languages} onSelect={run(() => setLocale(value))}>
            {name}
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

/** Searches the typed text in the names of the instance's keys. */
function PaletteKeys({ href, go }: { href: string; go: (href: string) => void }) {
  const t = useTranslations('nav');
  const typed = useTyped().trim();
  // Not shown before the rules are loaded: the first entry is preselected, and it must be the rule if a person typed the
  // id of one.
  const { catalogue } = useRules();
  if (typed === '' || catalogue === null) return null;
  const [address = '', query] = href.split('?');
  const search = new URLSearchParams(query);
  // A text that is not a valid pattern is escaped and searched literally.
  search.set('search', findGlobFault(typed) === null ? typed : escapeGlob(typed));
  return (
    <CommandGroup heading={t('groupKeys')}>
      <CommandItem value={MATCHES_ANY_TEXT} onSelect={() => go(`${address}?${search}`)}>
        <Search aria-hidden />
        <span className="min-w-0 truncate">{t('keysNamed', { text: typed })}</span>
      </CommandItem>
    </CommandGroup>
  );
}

/** The rules by id and title in either language, shown only once something is typed, because there are many. */
function PaletteRules({ buildHref, go }: { buildHref: (rule: string) => string | null; go: (href: string) => void }) {
  const t = useTranslations('nav');
  const locale = useLocale();
  const { catalogue } = useRules();
  const typed = useTyped();
  if (typed.trim() === '' || catalogue === null) return null;
  return (
    <CommandGroup heading={t('groupRules')}>
      {catalogue.rules.map(({ id, area, text }) => (
        <CommandItem
          key={id}
          value={`${id} ${text[locale].title}`}
          keywords={[text[locale === 'en' ? 'zh-CN' : 'en'].title]}
          // Outside an instance the link goes to the default profile, which shows what a rule says.
          onSelect={() => go(buildHref(id) ?? `/profiles/default#${area}`)}
        >
          <BookCheck aria-hidden />
          <span className="font-mono text-muted-foreground text-xs">{id}</span>
          <span className="min-w-0">{text[locale].title}</span>
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import { KeyName } from '@/components/ui/key-name';
import { buildFilterChips } from './filter-chips';
import { useChipWords } from './use-chip-words';
import { useFilter } from './use-filter';

export interface FilterChipsProps {
  hidePrefix?: boolean;
  hideType?: boolean;
  /** Ids of chips that are shown elsewhere on the page. */
  hidden?: readonly string[];
  /** `shown`: the page shows data of a snapshot. `ignored`: it does not, so the snapshot's chip follows the note. */
  snapshot?: 'shown' | 'ignored';
  /** A note before the first chip that the page ignores, if there is one. */
  children?: ReactNode;
}

/** The set fields as chips, each with a button that removes it. */
export function FilterChipsRow({
  hidePrefix = false,
  hideType = false,
  hidden = [],
  snapshot = 'shown',
  children,
}: FilterChipsProps) {
  const t = useTranslations('filters');
  const formatChip = useChipWords();
  const { filter, set, clear } = useFilter();
  const chips = buildFilterChips(filter)
    .filter(({ id }) => !hidden.includes(id))
    // With a template, the prefix does not say where the page is; it narrows the template, so its chip is shown.
    .filter(({ id }) => !(hidePrefix && (id === 'template' || (id === 'prefix' && !filter.template))))
    // The page's own control shows one type; several types come from a link and are shown here.
    .filter(({ id }) => !(hideType && id === 'type' && filter.type?.length === 1));
  const pinned = usePinnedSnapshot();
  if (chips.length === 0 && pinned === null) return null;
  const snapshotChip =
    pinned === null ? null : (
      <ChipItem name={t('snapshot')} removeLabel={t('remove', { name: t('snapshot') })} onRemove={pinned.remove}>
        <span className="num truncate">{pinned.text}</span>
      </ChipItem>
    );
  const note = children && (chips.length > 0 || (pinned !== null && snapshot === 'ignored'));
  return (
    <ul aria-label={t('active')} className="flex flex-wrap items-center gap-1.5">
      {snapshot === 'shown' ? snapshotChip : null}
      {note ? <li>{children}</li> : null}
      {chips.map((chip) => {
        const { name, text } = formatChip(chip);
        return (
          <ChipItem
            key={chip.id}
            name={name}
            removeLabel={t('remove', { name })}
            onRemove={() => set(Object.fromEntries(chip.fields.map((field) => [field, null])), 'push')}
          >
            {chip.kind === 'text' ? (
              <KeyName name={chip.text ?? ''} max={48} />
            ) : text === '' ? null : (
              <span className={chip.kind === 'list' ? 'truncate' : 'num'}>{text}</span>
            )}
          </ChipItem>
        );
      })}
      {snapshot === 'ignored' ? snapshotChip : null}
      {chips.length > 1 ? (
        <li>
          <Button variant="ghost" size="xs" onClick={clear}>
            {t('clear')}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

function ChipItem(props: { name: string; removeLabel: string; onRemove: () => void; children?: ReactNode }) {
  return (
    <li className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-md border bg-surface pl-2 text-xs">
      <span className="whitespace-nowrap text-muted-foreground">{props.name}</span>
      {props.children}
      <button
        type="button"
        aria-label={props.removeLabel}
        className="flex h-full items-center rounded-r-md px-1.5 text-muted-foreground hover:bg-hover hover:text-foreground"
        onClick={props.onRemove}
      >
        <X className="size-3" aria-hidden />
      </button>
    </li>
  );
}

/**
 * The snapshot that the address names, if it exists: the text of its chip, and a function that removes it from the
 * address. null: the newest one is shown.
 */
function usePinnedSnapshot(): { text: string; remove: () => void } | null {
  const { instanceId } = useHere();
  const { snapshot, pinned, select } = useCurrentSnapshot(instanceId);
  const f = useFormat();
  if (!pinned || snapshot === null) return null;
  return { text: f.dateTime(snapshot.startedAt), remove: () => select(null) };
}

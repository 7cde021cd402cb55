import { RotateCcw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Badge } from '@/components/ui/badge';
import {
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '@/components/ui/overlays/dropdown-menu';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';

export function SnapshotMenu(props: {
  readable: readonly SnapshotSummary[];
  current: string;
  /** Whether the address names a snapshot; otherwise the newest one is shown. */
  pinned: boolean;
  /** Called with the id of a snapshot; null: always the newest one. */
  onSelect: (id: string | null) => void;
}) {
  const t = useTranslations('nav');
  const f = useFormat();
  const { readable, current, pinned, onSelect } = props;
  return (
    <DropdownMenuContent align="start" className="w-80">
      <DropdownMenuLabel>{t('snapshotHeading')}</DropdownMenuLabel>
      {readable.map((snapshot) => (
        <DropdownMenuChoice key={snapshot.id} checked={snapshot.id === current} onSelect={() => onSelect(snapshot.id)}>
          <span className="num min-w-0 flex-1 truncate">{f.dateTime(snapshot.startedAt)}</span>
          {snapshot.state === 'live' ? <Badge tone="accent">{t('snapshotLive')}</Badge> : null}
          {snapshot.isPart ? <Badge tone="warning">{t('snapshotPart')}</Badge> : null}
          {snapshot.partial && snapshot.state !== 'live' ? <Badge tone="warning">{t('snapshotPartial')}</Badge> : null}
          <span className="num text-muted-foreground text-xs">{f.compact(snapshot.keys)}</span>
        </DropdownMenuChoice>
      ))}
      {pinned ? (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => onSelect(null)}>
            <RotateCcw aria-hidden />
            {t('backToLatest')}
          </DropdownMenuItem>
        </>
      ) : null}
    </DropdownMenuContent>
  );
}

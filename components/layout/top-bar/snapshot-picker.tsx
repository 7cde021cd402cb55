import { Camera, ChevronsUpDown, RotateCcw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { isReadable } from '@/components/data/choose-snapshot';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';

export function SnapshotPicker({ instanceId }: { instanceId: string }) {
  const t = useTranslations('nav');
  const f = useFormat();
  const { snapshot, snapshots, pinned, pending, error, select } = useCurrentSnapshot(instanceId);
  const readable = snapshots.filter(isReadable);
  // The page itself says what went wrong; "no snapshot" would be a guess.
  if (pending || (error && !snapshot)) return null;
  if (!snapshot)
    return <span className="truncate px-2 text-muted-foreground text-xs max-sm:hidden">{t('snapshotNone')}</span>;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" className="min-w-0 shrink max-sm:px-2" aria-label={t('snapshot')}>
          <Camera aria-hidden />
          <span className="num truncate max-sm:hidden">{f.dateTime(snapshot.startedAt)}</span>
          {snapshot.state === 'live' ? (
            <Badge tone="accent">{t('snapshotLive')}</Badge>
          ) : pinned ? null : (
            <Badge className="max-sm:hidden">{t('snapshotLatest')}</Badge>
          )}
          <ChevronsUpDown className="max-sm:hidden" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-80">
        <DropdownMenuLabel>{t('snapshotHeading')}</DropdownMenuLabel>
        {readable.map((s) => (
          <DropdownMenuChoice key={s.id} checked={s.id === snapshot.id} onSelect={() => select(s.id)}>
            <span className="num min-w-0 flex-1 truncate">{f.dateTime(s.startedAt)}</span>
            {s.state === 'live' ? <Badge tone="accent">{t('snapshotLive')}</Badge> : null}
            {s.partial && s.state !== 'live' ? <Badge tone="warning">{t('snapshotPartial')}</Badge> : null}
            <span className="num text-muted-foreground text-xs">{f.compact(s.keys)}</span>
          </DropdownMenuChoice>
        ))}
        {pinned ? (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem onSelect={() => select(null)}>
              <RotateCcw aria-hidden />
              {t('backToLatest')}
            </DropdownMenuItem>
          </>
        ) : null}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

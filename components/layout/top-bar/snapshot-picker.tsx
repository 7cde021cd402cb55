import { Camera, ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { isReadable } from '@/components/data/choose-snapshot';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { createLazyMenuContent, DropdownMenu, DropdownMenuTrigger } from '@/components/ui/overlays/dropdown-menu';

const Content = createLazyMenuContent(() => import('./snapshot-menu').then((loaded) => loaded.SnapshotMenu));

export function SnapshotPicker({ instanceId }: { instanceId: string }) {
  const t = useTranslations('nav');
  const f = useFormat();
  const { snapshot, snapshots, pinned, pending, error, select } = useCurrentSnapshot(instanceId);
  const readable = snapshots.filter(isReadable);
  // After an error the page itself says what went wrong; "no snapshot" would be a guess.
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
          ) : snapshot.isPart ? (
            <Badge tone="warning">{t('snapshotPart')}</Badge>
          ) : pinned ? null : (
            <Badge className="max-sm:hidden">{t('snapshotLatest')}</Badge>
          )}
          <ChevronsUpDown className="max-sm:hidden" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <Content readable={readable} current={snapshot.id} pinned={pinned} onSelect={select} />
    </DropdownMenu>
  );
}

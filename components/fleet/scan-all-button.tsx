import { Radar } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { may } from '@/lib/model/access';
import type { FleetRow } from '@/lib/model/reports/fleet';

const ScanAllDialog = createLazyPart(() => import('./scan-all-dialog').then((loaded) => loaded.ScanAllDialog));

/** Opens the dialog that queues a scan of every instance that the table shows. */
export function ScanAllButton({ rows }: { rows: readonly FleetRow[] }) {
  const t = useTranslations('fleet.scanAll');
  const session = useSession().data;
  const [open, setOpen] = useState(false);
  const scannable = rows.filter(
    ({ instance, activeJob }) => activeJob === null && session?.user && may(session.user, 'scan.run', instance),
  );
  // One instance has its own button.
  if (rows.length < 2 || scannable.length === 0) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <Radar aria-hidden />
        {t('action')}
      </Button>
      {open ? (
        <ScanAllDialog
          instances={scannable.map(({ instance }) => instance)}
          omitted={rows.length - scannable.length}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { useDeletions } from '@/components/data/queries/use-deletions';
import { Link } from '@/components/ui/link';
import type { FleetRow } from '@/lib/model/reports/fleet';

/** The instance of the demo in which keys may be deleted (scripts/demo.mjs). */
const PLAYGROUND = 'mall';

/** Says what to look at in the demo. Renders nothing if its instance was renamed or removed. */
export function DemoLine({ rows }: { rows: readonly FleetRow[] }) {
  const mall = rows.find(({ instance }) => instance.name === PLAYGROUND)?.instance;
  return mall ? <Line instanceId={mall.id} /> : null;
}

function Line({ instanceId }: { instanceId: string }) {
  const t = useTranslations('fleet');
  const deletion = useDeletions(instanceId).data?.find(({ undoable }) => undoable > 0);
  const link = (page: string) => (text: ReactNode) => (
    <Link href={buildInstanceAddress(instanceId, page)} className="rounded text-accent underline">
      {text}
    </Link>
  );
  return (
    <p className="text-muted-foreground">
      {t.rich('demo', {
        tree: link('/tree'),
        bigkeys: link('/bigkeys'),
        deletion: link(deletion ? `/deletions/${deletion.plan.id}` : '/deletions'),
      })}
    </p>
  );
}

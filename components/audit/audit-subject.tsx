import { instanceAddress } from '@/components/data/address/instance-address';
import { useInstances } from '@/components/data/queries/use-instances';
import { Link } from '@/components/ui/link';
import { visibleText } from '@/components/ui/visible-text';
import type { AuditRow } from '@/lib/model/audit';

/** What the row is about, by name and as a link, because an id alone means nothing to a reader. */
export function AuditSubject({ row }: { row: AuditRow }) {
  const { data: instances } = useInstances();
  const name = instances?.find((instance) => instance.id === row.instanceId)?.name;
  const job = row.action.startsWith('job.');
  const id = <bdi className="font-mono text-xs">{visibleText(row.subject)}</bdi>;
  // If the instance is deleted, only its id is left; its jobs were deleted with it.
  if (name === undefined) return id;
  const here = row.subject === row.instanceId;
  const href = job ? `/jobs/${encodeURIComponent(row.subject)}` : instanceAddress(row.instanceId ?? '');
  return (
    <>
      <Link href={href} className="rounded font-medium hover:text-accent hover:underline">
        <bdi>{visibleText(name)}</bdi>
      </Link>
      {here ? null : <span className="block truncate text-muted-foreground max-sm:hidden">{id}</span>}
    </>
  );
}

import { redirect } from 'next/navigation';
import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { TreePage } from '@/components/tree/tree-page';
import { getPageActor } from '@/lib/http/access/page-actor';
import { toQueryString } from '@/lib/model/text/api-address';
import { getAssignment } from '@/lib/policies/assignment';

/** Parameters that say which delimiter the address is about, or that were written for the default one. */
const WITH_DELIMITER = ['delimiter', 'template', 'prefix'] as const;

export default async function Page(props: PageProps) {
  const [{ id: written }, search] = [await props.params, await props.searchParams];
  const id = decodeURIComponent(written);
  if (WITH_DELIMITER.every((name) => search[name] === undefined)) {
    // Without permission, or without such an instance, the page says so.
    const policy = await getAssignment(await getPageActor(), id).catch(() => null);
    const delimiter = policy?.effective.delimiter ?? ':';
    if (delimiter !== ':') redirect(buildInstanceAddress(id, '/tree', toQueryString({ ...search, delimiter })));
  }
  return (
    <Prefetched read={prefetchReport(props, 'tree')}>
      <TreePage instanceId={id} />
    </Prefetched>
  );
}

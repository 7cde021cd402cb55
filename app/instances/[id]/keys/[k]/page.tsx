import { notFound } from 'next/navigation';
import { type KeyPageProps, prefetchKey } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { KeyPage } from '@/components/keys/key-page';
import { decodeKey } from '@/lib/model/keys/key-id';

export default async function Page(props: KeyPageProps) {
  const { id, k } = await props.params;
  const key = parseKeySegment(k);
  return (
    <Prefetched read={prefetchKey(props, key)}>
      <KeyPage instanceId={decodeURIComponent(id)} k={key} />
    </Prefetched>
  );
}

/** A link that was cut or edited may not name a key. */
function parseKeySegment(segment: string): string {
  try {
    const k = decodeURIComponent(segment);
    decodeKey(k);
    return k;
  } catch {
    notFound();
  }
}

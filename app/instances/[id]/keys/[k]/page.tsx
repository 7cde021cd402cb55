import { notFound } from 'next/navigation';
import { type KeyPageProps, keyData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { KeyPage } from '@/components/keys/key-page';
import { decodeKey } from '@/lib/model/keys/key-id';

export const generateMetadata = () => pageTitle('keys');

export default async function Page(props: KeyPageProps) {
  const { id, k } = await props.params;
  const key = keyOf(k);
  return (
    <Prefetched read={keyData(props, key)}>
      <KeyPage instanceId={decodeURIComponent(id)} k={key} />
    </Prefetched>
  );
}

/** A link that was cut or edited may not name a key. */
function keyOf(segment: string): string {
  try {
    const k = decodeURIComponent(segment);
    decodeKey(k);
    return k;
  } catch {
    notFound();
  }
}

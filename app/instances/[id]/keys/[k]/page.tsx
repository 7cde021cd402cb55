import { notFound } from 'next/navigation';
import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { KeyPage } from '@/components/keys/key-page';
import { decodeKey } from '@/lib/model/keys/key-id';

export const generateMetadata = () => pageTitle('keys');

async function Page({ params }: { params: Promise<{ id: string; k: string }> }) {
  const { id, k } = await params;
  return <KeyPage instanceId={decodeURIComponent(id)} k={keyOf(k)} />;
}

/** A link that was cut or edited names no key. */
function keyOf(segment: string): string {
  try {
    const k = decodeURIComponent(segment);
    decodeKey(k);
    return k;
  } catch {
    notFound();
  }
}

export default withMessages('/instances/[id]/keys/[k]', Page);

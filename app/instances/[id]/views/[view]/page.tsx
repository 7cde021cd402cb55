import { OpenView } from '@/components/views/open-view';

export default async function Page({ params }: { params: Promise<{ view: string }> }) {
  return <OpenView id={decodeURIComponent((await params).view)} />;
}

import { pageTitle } from '@/app/page-title';
import { OpenView } from '@/components/views/open-view';

export const generateMetadata = () => pageTitle('nav', 'views');

export default async function Page({ params }: { params: Promise<{ view: string }> }) {
  return <OpenView id={decodeURIComponent((await params).view)} />;
}

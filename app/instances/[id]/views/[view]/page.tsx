import { buildPageTitle } from '@/app/page-title';
import { OpenView } from '@/components/views/open-view';

export const generateMetadata = () => buildPageTitle('nav', 'views');

export default async function Page({ params }: { params: Promise<{ view: string }> }) {
  return <OpenView id={decodeURIComponent((await params).view)} />;
}

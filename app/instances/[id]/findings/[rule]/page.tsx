import { pageTitle } from '@/app/page-title';
import { RulePage } from '@/components/findings/rule-page';

export const generateMetadata = () => pageTitle('findings');

export default async function Page({ params }: { params: Promise<{ id: string; rule: string }> }) {
  const { id, rule } = await params;
  return <RulePage instanceId={decodeURIComponent(id)} rule={decodeURIComponent(rule)} />;
}

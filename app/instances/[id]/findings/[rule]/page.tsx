import { type RulePageProps, ruleData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { RulePage } from '@/components/findings/rule-page';

export const generateMetadata = () => pageTitle('findings');

export default async function Page(props: RulePageProps) {
  const { id, rule } = await props.params;
  return (
    <Prefetched read={ruleData(props)}>
      <RulePage instanceId={decodeURIComponent(id)} rule={decodeURIComponent(rule)} />
    </Prefetched>
  );
}

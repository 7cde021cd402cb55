import { prefetchRule, type RulePageProps } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { RulePage } from '@/components/findings/rule-page';

export default async function Page(props: RulePageProps) {
  const { id, rule } = await props.params;
  return (
    <Prefetched read={prefetchRule(props)}>
      <RulePage instanceId={decodeURIComponent(id)} rule={decodeURIComponent(rule)} />
    </Prefetched>
  );
}

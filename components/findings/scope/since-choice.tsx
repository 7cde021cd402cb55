import { useTranslations } from 'use-intl';
import { addToAddress } from '@/components/data/address/add-to-address';
import type { CurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/forms/select';
import { Link } from '@/components/ui/link';
import { SINCE_BASELINE, SINCE_PREVIOUS } from '@/lib/model/comparison/comparison-words';
import { useSince } from './use-since';

/** Since when findings count as new: the scan before or, if the instance has one, the baseline. Leads to both. */
export function SinceChoice({ instanceId, current }: { instanceId: string; current: CurrentSnapshot }) {
  const t = useTranslations('compare.since');
  const { since, setSince } = useSince();
  const { instanceHref } = useHere();
  const hasBaseline = current.snapshots.some(({ baseline, id }) => baseline && id !== current.snapshotId);
  return (
    <>
      {hasBaseline || since !== null ? (
        <Select
          aria-label={t('label')}
          value={since === SINCE_BASELINE ? SINCE_BASELINE : SINCE_PREVIOUS}
          onValueChange={(next) => setSince(next === SINCE_PREVIOUS ? null : next)}
          options={[
            { value: SINCE_PREVIOUS, label: t('previous') },
            { value: SINCE_BASELINE, label: t('baseline') },
          ]}
        />
      ) : null}
      <Button asChild>
        <Link
          href={addToAddress(instanceHref(instanceId, '/compare'), { list: 'findings', ...(since && { with: since }) })}
        >
          {t('link')}
        </Link>
      </Button>
    </>
  );
}

import { useTranslations } from 'use-intl';
import { ScoreFixes } from '@/components/rules/score-fixes';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { FindingsReport } from '@/lib/model/rules/findings';

/** The fixes that raise the score most; nothing if there is no score. */
export function FixesCard({ report, hrefOf }: { report: FindingsReport; hrefOf: (rule: string) => string }) {
  const t = useTranslations('findings');
  if (report.score.score === null) return null;
  return (
    <Card>
      <CardHeader title={t('fixesTitle')} description={t('fixesIntro')} />
      <CardBody className="py-2">
        <ScoreFixes fixes={report.score.fixes} hrefOf={hrefOf} />
      </CardBody>
    </Card>
  );
}

import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { LengthCell, TtlCell, TypeCell } from '@/components/reports/key-cells';
import { LiveBadge } from '@/components/reports/live-badge';
import { PrefixName } from '@/components/reports/prefix-name';
import { PreparingBadge } from '@/components/reports/preparing-badge';
import { ShareCell } from '@/components/reports/share-cell';
import { TypeMix } from '@/components/reports/type-mix';
import { TypePills } from '@/components/reports/type-pills';
import { RuleId } from '@/components/rules/rule-id';
import { ScoreNumber } from '@/components/rules/score-number';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { Sample } from './sample';

const NOW = Date.UTC(2026, 0, 5);
type Cells = Pick<KeyRow, 'type' | 'length' | 'expireAt' | 'expiryKnown'>;
/** Runs out, never does, has, and nobody knows. */
const KEYS: readonly Cells[] = [
  { type: 'hash', length: 1200, expireAt: NOW + 86_400_000, expiryKnown: true },
  { type: 'string', length: 12, expireAt: null, expiryKnown: true },
  { type: 'zset', length: 3, expireAt: NOW - 1, expiryKnown: true },
  { type: 'list', length: null, expireAt: null, expiryKnown: false },
];

/** Cells and marks that several reports share, in a plain table. */
export function ReportParts({ waiting }: { waiting: boolean }) {
  const t = useTranslations('styleguide');
  return (
    <Card>
      <CardHeader title={t('cells')} />
      <CardBody className="space-y-4">
        <Sample of="ShareCell">
          {[0.42, 0, null].map((share) => (
            <ShareCell key={String(share)} share={share} />
          ))}
        </Sample>
        <Sample of="TypeMix">
          <TypeMix types={{ hash: 60, string: 30, zset: 10 }} />
        </Sample>
        <Sample of="TypePills">
          <TypePills />
        </Sample>
        <Sample of="PrefixName">
          <p>
            <PrefixName prefix="mall:cart:" href="/" />
          </p>
          <PrefixName prefix="" href="/" />
        </Sample>
        <Sample of="TimeAgo">
          <p>
            <TimeAgo at={NOW} /> <TimeAgo at={null} />
          </p>
        </Sample>
        <Sample of="ScoreNumber">
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            {[34, 71, 96, null].map((score) => (
              <ScoreNumber key={String(score)} score={score} />
            ))}
          </div>
        </Sample>
        <Sample of="RuleId">
          <RuleId id="N8" /> <RuleId id="own-rule-of-the-shop" />
        </Sample>
        {waiting ? (
          <Sample of="LiveBadge, PreparingBadge">
            <LiveBadge jobId={null} keys={1_234_567} />{' '}
            <PreparingBadge preparation={{ task: 'roll-up', waiting: true, share: null }} />{' '}
            <PreparingBadge preparation={{ task: 'evaluate', waiting: false, share: 0.4 }} />
          </Sample>
        ) : null}
      </CardBody>
      <TableScroll label={t('cells')}>
        <Table>
          <THead>
            <Tr>
              <Th>{t('chip.type')}</Th>
              <Th right>{t('keys')}</Th>
              <Th right>{t('known')}</Th>
            </Tr>
          </THead>
          <TBody>
            {KEYS.map((row) => (
              <Tr key={row.type}>
                <Td>
                  <TypeCell row={row as KeyRow} />
                </Td>
                <Td num>
                  <LengthCell row={row} />
                </Td>
                <Td num>
                  <TtlCell row={row} asOf={NOW} />
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}

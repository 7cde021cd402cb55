import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { translateIfKnown } from '@/components/data/translate-if-known';
import { useErrorText } from '@/components/data/use-error-text';
import { useIgnoredFilters } from '@/components/reports/use-ignored-filters';
import { PartialReasons } from '@/components/scans/partial-alert';
import { Badge } from '@/components/ui/badge';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { FactList, FactRow } from '@/components/ui/fact-list';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

const FACTS = ['type', 'ttl', 'bytes', 'length', 'encoding', 'idle'] as const;

/** A snapshot that took longer to read, as one that waited for its next window, says from when to when, ms. */
const LONG_MS = 6 * 3_600_000;

/**
 * Shows what a finished snapshot covers and what it does not. Counts of rare events are shown only if they are not 0.
 */
export function CoverageCard({ manifest }: { manifest: SnapshotManifest }) {
  const { coverage, options, startedAt, readingEndedAt } = manifest;
  const t = useTranslations('overview.coverage');
  const f = useFormat();
  const errorText = useErrorText();
  const ignoredFilters = useIgnoredFilters();
  // A reason is one of Colonnade's own or the code of an error.
  const describeSkip = (reason: string) =>
    translateIfKnown(t, `skipReason.${reason}`) ?? errorText({ code: reason, message: reason }).title;
  // Counts the facts that were requested and not answered. Element counts that were deliberately not read have a line of
  // their own.
  const countUnknown = (name: (typeof FACTS)[number]) =>
    name === 'length'
      ? Math.max(0, coverage.unknownFacts.length - coverage.lengthNotAsked)
      : coverage.unknownFacts[name];
  const unknown = FACTS.filter((name) => countUnknown(name) > 0);
  const extent = coverage.partial ? 'partial' : isLimitedScan(options) ? 'part' : 'complete';
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={ignoredFilters ?? t('text')}
        actions={<Badge tone={extent === 'complete' ? 'success' : 'warning'}>{t(extent)}</Badge>}
      />
      <CardBody className="py-2">
        <FactList>
          <FactRow label={t('read')}>
            <Value value={coverage.keysRead} as="number" />
          </FactRow>
          <FactRow label={t('atStart')}>
            <Value value={coverage.keysAtStart} as="number" />
          </FactRow>
          <FactRow label={t('atEnd')}>
            <Value value={coverage.keysAtEnd} as="number" />
          </FactRow>
          <FactRow label={t('vanished')}>
            <Value value={coverage.vanished} as="number" />
          </FactRow>
          <FactRow label={t('duplicates')}>
            <Value value={coverage.duplicatesRemoved} as="number" />
          </FactRow>
          {readingEndedAt !== null && readingEndedAt - startedAt > LONG_MS ? (
            <FactRow label={t('between')}>
              {f.dateTime(startedAt)} – {f.dateTime(readingEndedAt)}
            </FactRow>
          ) : null}
          {coverage.restarts > 0 ? <FactRow label={t('restarts')}>{f.number(coverage.restarts)}</FactRow> : null}
          {coverage.oversizeReplies > 0 ? (
            <FactRow label={t('oversize')}>{f.number(coverage.oversizeReplies)}</FactRow>
          ) : null}
          <FactRow label={t('unknown')}>
            {unknown.length === 0
              ? t('none')
              : unknown.map((name, i) => (
                  // A fact and its count stay on one line.
                  <Fragment key={name}>
                    {i > 0 ? ' ' : null}
                    <span className="whitespace-nowrap">
                      {t('unknownItem', { fact: t(`fact.${name}`), count: f.number(countUnknown(name)) })}
                      {i < unknown.length - 1 ? ' ·' : null}
                    </span>
                  </Fragment>
                ))}
          </FactRow>
          {coverage.lengthNotAsked > 0 ? (
            <FactRow label={t('notAsked')}>{f.number(coverage.lengthNotAsked)}</FactRow>
          ) : null}
          {coverage.skipped.length > 0 ? (
            <FactRow label={t('skipped')}>
              {coverage.skipped.map(({ address, db, reason }) => (
                <span key={`${address}/${db}`} className="block font-mono text-xs">
                  {address}
                  {db === null ? '' : ` db${db}`} — {describeSkip(reason)}
                </span>
              ))}
            </FactRow>
          ) : null}
          {coverage.partialReasons.length > 0 ? (
            <FactRow label={t('mayMiss')}>
              <PartialReasons reasons={coverage.partialReasons} />
            </FactRow>
          ) : null}
          {coverage.commandsDenied.length > 0 ? (
            <FactRow label={t('denied')}>
              <span className="font-mono text-xs">{coverage.commandsDenied.join(', ')}</span>
            </FactRow>
          ) : null}
          <FactRow label={t('idleFrom')}>{t(`idle.${coverage.idleFrom}`)}</FactRow>
        </FactList>
      </CardBody>
    </Card>
  );
}

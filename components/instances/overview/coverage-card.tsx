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

/** What a finished snapshot covers and what it does not. Zeros of rare things are left out. */
export function CoverageCard({ manifest: { coverage: c, options } }: { manifest: SnapshotManifest }) {
  const t = useTranslations('overview.coverage');
  const f = useFormat();
  const errorText = useErrorText();
  const notAsked = useIgnoredFilters();
  // A reason is one of Colonnade's own or the code of an error.
  const skipText = (reason: string) =>
    translateIfKnown(t, `skipReason.${reason}`) ?? errorText({ code: reason, message: reason }).title;
  // Facts that were deliberately not read have a line of their own; this counts only those that were requested and not
  // answered.
  const count = (name: (typeof FACTS)[number]) =>
    name === 'length' ? Math.max(0, c.unknownFacts.length - c.lengthNotAsked) : c.unknownFacts[name];
  const unknown = FACTS.filter((name) => count(name) > 0);
  const extent = c.partial ? 'partial' : isLimitedScan(options) ? 'part' : 'complete';
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={notAsked ?? t('text')}
        actions={<Badge tone={extent === 'complete' ? 'success' : 'warning'}>{t(extent)}</Badge>}
      />
      <CardBody className="py-2">
        <FactList>
          <FactRow label={t('read')}>
            <Value value={c.keysRead} as="number" />
          </FactRow>
          <FactRow label={t('atStart')}>
            <Value value={c.keysAtStart} as="number" />
          </FactRow>
          <FactRow label={t('atEnd')}>
            <Value value={c.keysAtEnd} as="number" />
          </FactRow>
          <FactRow label={t('vanished')}>
            <Value value={c.vanished} as="number" />
          </FactRow>
          <FactRow label={t('duplicates')}>
            <Value value={c.duplicatesRemoved} as="number" />
          </FactRow>
          {c.restarts > 0 ? <FactRow label={t('restarts')}>{f.number(c.restarts)}</FactRow> : null}
          {c.oversizeReplies > 0 ? <FactRow label={t('oversize')}>{f.number(c.oversizeReplies)}</FactRow> : null}
          <FactRow label={t('unknown')}>
            {unknown.length === 0
              ? t('none')
              : unknown.map((name, i) => (
                  // A fact and its count stay on one line.
                  <Fragment key={name}>
                    {i > 0 ? ' ' : null}
                    <span className="whitespace-nowrap">
                      {t('unknownItem', { fact: t(`fact.${name}`), count: f.number(count(name)) })}
                      {i < unknown.length - 1 ? ' ·' : null}
                    </span>
                  </Fragment>
                ))}
          </FactRow>
          {c.lengthNotAsked > 0 ? <FactRow label={t('notAsked')}>{f.number(c.lengthNotAsked)}</FactRow> : null}
          {c.skipped.length > 0 ? (
            <FactRow label={t('skipped')}>
              {c.skipped.map((s) => (
                <span key={`${s.address}/${s.db}`} className="block font-mono text-xs">
                  {s.address}
                  {s.db === null ? '' : ` db${s.db}`} — {skipText(s.reason)}
                </span>
              ))}
            </FactRow>
          ) : null}
          {c.partialReasons.length > 0 ? (
            <FactRow label={t('mayMiss')}>
              <PartialReasons reasons={c.partialReasons} />
            </FactRow>
          ) : null}
          {c.commandsDenied.length > 0 ? (
            <FactRow label={t('denied')}>
              <span className="font-mono text-xs">{c.commandsDenied.join(', ')}</span>
            </FactRow>
          ) : null}
          <FactRow label={t('idleFrom')}>{t(`idle.${c.idleFrom}`)}</FactRow>
        </FactList>
      </CardBody>
    </Card>
  );
}

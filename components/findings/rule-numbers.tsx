'use client';
import { useTranslations } from 'use-intl';
import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { VerdictBadge } from '@/components/rules/verdict-badge';
import { KeyName } from '@/components/ui/key-name';
import { Td } from '@/components/ui/table';
import type { RuleFinding } from '@/lib/model/findings';

/** The cells of one rule; a server rule has a verdict where others have numbers, unknown is said and never 0. */
export function RuleNumbers({ finding }: { finding: RuleFinding }) {
  const t = useTranslations('findings');
  const f = useFormat();
  const { change } = finding;
  // Where nothing could be judged, no part of the keys is no number either.
  const shareKeys = finding.status === 'unknown' ? null : finding.shareKeys;
  return (
    <>
      <Td num>
        {finding.keys === null ? (
          <VerdictBadge verdict={finding.status} />
        ) : finding.status === 'unknown' ? (
          <VerdictBadge verdict="unknown" />
        ) : (
          <Value value={finding.keys} as="compact" />
        )}
        {finding.groups !== null && finding.groups > 0 ? (
          <span className="block text-muted-foreground text-xs">{t('groups', { count: finding.groups })}</span>
        ) : null}
        <OfStrengths finding={finding} />
        {finding.unknownKeys > 0 ? (
          <span className="block text-muted-foreground text-xs" title={t('unknownHint')}>
            {t('unknownKeys', { count: f.compact(finding.unknownKeys) })}
          </span>
        ) : null}
      </Td>
      <Td className="max-md:hidden">
        {shareKeys === null ? null : (
          <span className="flex items-center gap-2">
            <span className="w-16">
              <ShareBar share={shareKeys} />
            </span>
            <span className="num w-12 text-right text-muted-foreground text-xs">{f.share(shareKeys)}</span>
          </span>
        )}
      </Td>
      <Td num className="max-md:hidden">
        {finding.keys === null ? null : (
          <Value value={finding.status === 'unknown' ? null : finding.bytes} as="bytes" />
        )}
      </Td>
      <Td num className="whitespace-nowrap text-xs max-lg:hidden">
        {change === null ? (
          <span className="text-muted-foreground">—</span>
        ) : (
          <span title={t('changeHint', { gone: f.number(change.goneKeys) })}>
            <span className={change.newKeys > 0 ? 'text-danger' : 'text-muted-foreground'}>
              +{f.compact(change.newKeys)}
            </span>{' '}
            <span className={change.fixedKeys > 0 ? 'text-success' : 'text-muted-foreground'}>
              −{f.compact(change.fixedKeys)}
            </span>
          </span>
        )}
      </Td>
      <Td className="max-w-44 max-xl:hidden">
        {finding.example ? <KeyName name={finding.example.name} max={26} /> : null}
      </Td>
    </>
  );
}

/** How many keys break it at which strength, where profiles of prefixes take it otherwise. */
export function OfStrengths({ finding }: { finding: RuleFinding }) {
  const t = useTranslations('findings');
  const tr = useTranslations('rules.strength');
  const f = useFormat();
  return finding.strengths?.map(({ strength, keys }) => (
    <span key={strength} className="block text-muted-foreground text-xs" title={t('strengthsHint')}>
      {tr(strength)}: {f.number(keys)}
    </span>
  ));
}

import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { Score } from '@/lib/model/rules/findings';

/**
 * The number of lines of a complete score: mandatory findings, recommended findings, groups, servers. A part that could
 * not be evaluated has no line, and the others share its points.
 */
const ALL_LINES = 4;

/** Where the points come from, line by line. */
export function ScoreLines({ score }: { score: Score }) {
  const t = useTranslations('findings.score');
  const f = useFormat();
  return (
    <>
      <ul className="divide-y text-sm">
        {score.lines.map(({ part, points, of, figures }) => (
          <li key={part} className="flex items-baseline gap-3 py-1.5">
            <details className="min-w-0 flex-1">
              <summary className="cursor-pointer rounded marker:text-muted-foreground">{t(`part.${part}`)}</summary>
              <span className="block text-muted-foreground text-xs">
                {part === 'mandatory' || part === 'recommended'
                  ? t(figures.freeBytes === undefined ? 'freeOfKeys' : 'free', {
                      keys: f.share(figures.freeKeys),
                      bytes: f.share(figures.freeBytes),
                      of: f.decimal(of, 1),
                    })
                  : t(part === 'groups' ? 'groupsPassed' : 'serverPassed', {
                      passed: figures.passed ?? 0,
                      violated: figures.violated ?? 0,
                      unknown: figures.unknown ?? 0,
                    })}
                {figures.unknownKeys ? (
                  <span className="block">{t('unknownKeys', { count: figures.unknownKeys })}</span>
                ) : null}
              </span>
            </details>
            <span className="num shrink-0">
              {f.decimal(points, 1)} <span className="text-muted-foreground">/ {f.decimal(of, 1)}</span>
            </span>
          </li>
        ))}
      </ul>
      {score.lines.length < ALL_LINES ? <p className="text-muted-foreground text-xs">{t('shared')}</p> : null}
    </>
  );
}

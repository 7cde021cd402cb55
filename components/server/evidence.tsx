import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { translateIfKnown } from '@/components/data/translate-if-known';
import { toVisibleText } from '@/components/ui/visible-text';
import { getFigureKind } from '@/lib/model/rules/figure-kinds';
import type { ServerFinding } from '@/lib/model/servers/server-audit';

/** The evidence of a finding in words, per node if there are several. */
export function Evidence({ evidence, nodes }: { evidence: ServerFinding['evidence']; nodes: number }) {
  const t = useTranslations('serverAudit.figures');
  const f = useFormat();
  const formatFigure = (name: string, figure: number | string) =>
    typeof figure === 'string'
      ? toVisibleText(figure)
      : getFigureKind(name) === 'share'
        ? f.share(figure)
        : f.number(figure);
  return (
    <ul className="space-y-1 text-sm">
      {evidence.map(({ address, figures }) => (
        <li key={address} className="min-w-0 break-words">
          {nodes > 1 ? <span className="mr-2 font-mono text-muted-foreground text-xs">{address}</span> : null}
          {Object.entries(figures)
            .map(
              ([name, figure]) =>
                translateIfKnown(t, name, { value: formatFigure(name, figure) }) ??
                `${name}: ${formatFigure(name, figure)}`,
            )
            .join(' · ')}
        </li>
      ))}
    </ul>
  );
}

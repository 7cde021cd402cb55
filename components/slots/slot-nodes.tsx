import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useChartPicture } from '@/components/reports/chart-picture';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

type NodeShare = SlotsReport['nodes'][number];
const MEASURES = ['keys', 'bytes'] as const;
type Measure = (typeof MEASURES)[number];
const OPACITY: Record<Measure, number> = { keys: 1, bytes: 0.6 };
const ROLES: Record<string, 'master' | 'replica'> = { master: 'master', replica: 'replica' };

/** One line per node with two bars. A tick marks the mean of all nodes, so that overloaded nodes are easily seen. */
export function SlotNodes({ report }: { report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const { nodes } = report;
  const picture = useChartPicture({ title: t('nodes') });
  const computeSum = (measure: Measure) => nodes.reduce((sum, node) => sum + node[measure], 0);
  const computeMax = (measure: Measure) => Math.max(1, ...nodes.map((node) => node[measure]));
  const getColor = (node: NodeShare) => (report.clustered ? `--chart-${(node.node % 8) + 1}` : '--chart-1');
  const formatRole = (node: NodeShare) =>
    t(ROLES[node.role] ?? 'unknownRole') +
    (report.clustered ? ` · ${t('slotsCount', { count: f.number(node.slotCount) })}` : '');
  // The position of the mean on a bar, 0…1.
  const computeMean = (measure: Measure) => computeSum(measure) / nodes.length / computeMax(measure);
  const formatAmount = (node: NodeShare, measure: Measure) =>
    measure === 'keys' ? t('keysUnit', { n: node.keys, count: f.compact(node.keys) }) : f.bytes(toKnownBytes(node));
  return (
    <Card>
      <CardHeader
        title={t('nodes')}
        description={nodes.length > 1 ? t('nodesHint') : undefined}
        actions={picture.menu}
      />
      <CardBody>
        <div ref={picture.place}>
          <ul className="grid gap-4">
            {nodes.map((node) => (
              <li key={node.node} className="grid gap-1.5">
                <div className="flex flex-wrap items-baseline gap-x-2">
                  {report.clustered ? (
                    <span
                      aria-hidden
                      className="size-2.5 self-center rounded-[3px]"
                      style={{ background: `var(${getColor(node)})` }}
                    />
                  ) : null}
                  <span className="font-mono">{node.address}</span>
                  <span className="num text-muted-foreground text-xs">{formatRole(node)}</span>
                </div>
                {MEASURES.map((measure) => (
                  <div key={measure} className="grid grid-cols-[1fr_9.5rem] items-center gap-3">
                    <span aria-hidden className="relative block h-2 rounded-full bg-chart-track">
                      <span
                        className="block h-full rounded-full"
                        style={{
                          width: `${(node[measure] / computeMax(measure)) * 100}%`,
                          background: `var(${getColor(node)})`,
                          opacity: OPACITY[measure],
                        }}
                      />
                      {nodes.length > 1 ? (
                        <span
                          className="absolute -top-0.5 h-3 w-0.5 bg-foreground"
                          style={{ left: `${computeMean(measure) * 100}%` }}
                        />
                      ) : null}
                    </span>
                    <span className="num text-right text-xs">
                      {formatAmount(node, measure)}
                      <span className="ml-2 inline-block w-11 text-muted-foreground">
                        {f.shareOf(node[measure], computeSum(measure))}
                      </span>
                    </span>
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </div>
      </CardBody>
    </Card>
  );
}

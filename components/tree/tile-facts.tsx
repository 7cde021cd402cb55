import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { useFormat } from '@/components/data/format/use-format';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { ShownNode } from './tree-item';

/**
 * The content of a tile's tooltip. `node`: null for the sum of the nodes that are not on this page, of which only the
 * label is shown. `part`: the part of the tile under the pointer, in words.
 */
export function TileFacts({ node, part, label }: { node: ShownNode | null; part: string | null; label: string }) {
  const t = useTranslations('tree.column');
  const f = useFormat();
  if (!node) return label;
  return (
    <>
      <p className="mb-1 max-w-72 truncate font-medium font-mono">{node.path || label}</p>
      {part ? <p className="mb-1 max-w-72 truncate font-mono text-accent">{part}</p> : null}
      <TooltipRow label={t('keys')} value={f.number(node.keys)} />
      <TooltipRow label={t('bytes')} value={f.bytes(toKnownBytes(node))} />
      <TooltipRow label={t('avg')} value={f.bytes(node.avgBytes)} />
      <TooltipRow label={t('max')} value={f.bytes(node.maxBytes)} />
      <TooltipRow label={t('noExpiry')} value={f.shareOf(node.noExpiry, node.keys)} />
      <TooltipRow label={t('ttl')} value={f.seconds(node.ttlP50Seconds)} />
      {node.bigkeys > 0 ? <TooltipRow label={t('bigkeys')} value={f.number(node.bigkeys)} /> : null}
    </>
  );
}

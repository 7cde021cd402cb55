import { type ComponentProps, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { TreemapItem } from '@/components/charts/draw-treemap';
import { getTypeToken } from '@/components/charts/scales/type-colors';
import { Treemap } from '@/components/charts/treemap';
import { useFormat } from '@/components/data/format/use-format';
import { ChartPicture } from '@/components/reports/chart-picture';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Segmented } from '@/components/ui/forms/segmented';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { Totals, TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { escapeGlob } from '@/lib/model/text/escape-glob';
import { type ActiveNode, useActivePath } from './active/active-node';
import { type ShownNode, toShownNode } from './tree-item';
import { splitCrumbs } from './tree-path';
import type { TreeState } from './use-tree-state';

const TileFacts = createLazyPart(() => import('./tile-facts').then((loaded) => loaded.TileFacts));

interface Item extends TreemapItem {
  /** null: the tile is a sum of nodes that are not on this page. */
  node: ShownNode | null;
  /** The sum of those whose segments begin with this text; absent: of all others. */
  group?: Totals & { begins: string };
}

export function TreeMapCard(props: {
  className?: string;
  report: TreeReport;
  state: TreeState;
  active: ActiveNode;
  onOpen: (node: ShownNode) => void;
  /** Called with the path of a part of a node: a branch below it, or a key of its own. */
  onPart: (path: string) => void;
  /** Opens the children that are not on this page. */
  onRest: () => void;
}) {
  const t = useTranslations('tree');
  const f = useFormat();
  const { report, state } = props;
  // Without MEMORY USAGE there are no sizes to draw, so areas are numbers of keys.
  const measure = report.bytes > 0 ? state.size : 'keys';
  const items = useMemo((): Item[] => {
    const formatAmount = (value: number) => (measure === 'keys' ? f.compact(value) : f.bytes(value));
    const describeValue = (value: number) => ({
      value,
      valueShort: formatAmount(value),
      valueLabel: `${formatAmount(value)} · ${f.shareOf(value, report[measure])}`,
    });
    const formatName = (segment: string) => (segment === '' ? t('empty') : segment);
    const tiles = report.children.map((child): Item => {
      const node = toShownNode(child, report);
      const shared = splitCrumbs(node.path.slice(node.start.length), report.delimiter);
      const begins = node.begins === '' ? '' : `${node.begins}… `;
      const expiry = state.color === 'expiry';
      return {
        id: node.path,
        node,
        label: [`${begins}${formatName(node.segment)}`, ...shared.map((crumb) => formatName(crumb.segment))].join(
          ' → ',
        ),
        parts: node.below?.map((part) => ({
          id: part.path,
          label: formatName(part.segment),
          value: part[measure],
          color: expiry ? undefined : getTypeToken(part.type ?? 'unknown'),
        })),
        ...describeValue(node[measure]),
        color: expiry ? '--warning-solid' : getTypeToken(findMainType(node, measure)),
        // The colours of ExpiryScale: 5 % if all keys expire, 60 % if none does.
        strength: expiry ? 0.05 + (0.55 * node.noExpiry) / Math.max(1, node.keys) : undefined,
      };
    });
    const groups = report.rest?.groups ?? [];
    const addSum = (id: string, label: string, value: number, group?: Item['group']) =>
      tiles.push({ id: `\u0000rest ${id}`, node: null, group, label, ...describeValue(value), color: '--chart-8' });
    for (const group of groups) addSum(group.begins, `${group.begins}…`, group[measure], group);
    const others = (report.rest?.[measure] ?? 0) - groups.reduce((sum, group) => sum + group[measure], 0);
    if (report.rest && others > 0)
      addSum('', groups.length > 0 ? t('others') : `+${f.number(report.rest.nodes)}`, others);
    return tiles;
  }, [report, state.color, measure, f, t]);
  const types = useMemo(() => {
    const parts = report.children.flatMap((node) => node.below ?? []).map((part) => part.type ?? 'unknown');
    return [...new Set([...report.children.map((node) => findMainType(node, measure)), ...parts])].sort();
  }, [report, measure]);
  const title = t('treemap', { path: state.path === '' ? t('root') : state.path, count: report.childCount });
  const describeSum = ({ group, label }: Item) =>
    group
      ? t('beginning', { text: group.begins, keys: group.keys, bytes: f.bytes(toKnownBytes(group)) })
      : label === t('others')
        ? label
        : t('rest', { count: report.rest?.nodes ?? 0 });

  return (
    <Card className={cn('flex flex-col gap-2.5 p-3', props.className)}>
      <ChartPicture
        title={title}
        fill
        controls={
          <>
            <Segmented
              size="sm"
              label={t('sizeBy')}
              value={state.size}
              onValueChange={(size) => state.set({ size, sort: `-${size}` })}
              options={[
                { value: 'bytes', label: t('byBytes') },
                { value: 'keys', label: t('byKeys') },
              ]}
            />
            <Segmented
              size="sm"
              label={t('colorBy')}
              value={state.color}
              onValueChange={(color) => state.set({ color })}
              options={[
                { value: 'type', label: t('colorType') },
                { value: 'expiry', label: t('colorExpiry') },
              ]}
            />
          </>
        }
      >
        <ActiveTreemap
          items={items}
          className="h-72 xl:h-auto xl:min-h-0 xl:flex-1"
          label={title}
          active={props.active}
          onOpen={(id, part) => {
            if (part !== undefined) return props.onPart(part);
            const item = items.find((one) => one.id === id);
            if (item?.node) props.onOpen(item.node);
            else if (item?.group) state.search(escapeGlob(item.group.begins));
            else props.onRest();
          }}
          onUp={state.up}
          describe={(item) =>
            item.node
              ? t('describe', {
                  name: item.label,
                  keys: item.node.keys,
                  bytes: f.bytes(toKnownBytes(item.node)),
                  share: f.shareOf(item.node[measure], report[measure]),
                })
              : describeSum(item)
          }
          tooltip={(item, part) => (
            <TileFacts
              node={item.node}
              part={part && `${part.label} · ${measure === 'keys' ? f.number(part.value) : f.bytes(part.value)}`}
              label={item.node ? item.label : describeSum(item)}
            />
          )}
        />
      </ChartPicture>
      <div className="flex min-h-4 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {state.color === 'type' ? <TypeLegend types={types} /> : <ExpiryScale />}
        <span className="text-muted-foreground text-xs max-sm:hidden">{t('hint')}</span>
      </div>
    </Card>
  );
}

function TypeLegend({ types }: { types: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted-foreground">
      {types.map((type) => (
        <li key={type} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 rounded-[3px] border"
            // Filled as the tiles are, see draw-treemap.ts.
            style={{
              borderColor: `var(${getTypeToken(type)})`,
              background: `color-mix(in srgb, var(${getTypeToken(type)}) calc((var(--tile) + 0.1) * 100%), var(--surface))`,
            }}
          />
          {type}
        </li>
      ))}
    </ul>
  );
}

function ExpiryScale() {
  const t = useTranslations('tree');
  const f = useFormat();
  return (
    <div className="flex items-center gap-2 text-muted-foreground text-xs">
      {t('colorExpiry')}
      <span className="num">{f.share(0)}</span>
      <span
        aria-hidden
        className="h-2.5 w-24 rounded-[3px] bg-gradient-to-r from-warning-solid/5 to-warning-solid/60"
      />
      <span className="num">{f.share(1)}</span>
    </div>
  );
}

type TreemapOf<T extends TreemapItem> = ComponentProps<typeof Treemap<T>>;

/**
 * The treemap next to the table. It subscribes to the marked node by itself, so that a change does not render the page
 * again.
 */
function ActiveTreemap<T extends TreemapItem>(
  props: Omit<TreemapOf<T>, 'activeId' | 'onActive'> & { active: ActiveNode },
) {
  const { active, ...treemap } = props;
  const activeId = useActivePath(active);
  return (
    <Treemap
      {...treemap}
      activeId={activeId}
      onActive={(id, by) => (by === 'keyboard' && id !== null ? active.focus(id) : active.point(id))}
    />
  );
}

/** The type with the most keys, or with the most memory; `unknown` if no type could be read. */
function findMainType({ types, heaviestType }: TreeNode, measure: 'keys' | 'bytes'): string {
  if (measure === 'bytes' && heaviestType !== null) return heaviestType;
  let best = 'unknown';
  let max = 0;
  for (const [type, keys] of Object.entries(types)) if (keys > max) [best, max] = [type, keys];
  return best;
}

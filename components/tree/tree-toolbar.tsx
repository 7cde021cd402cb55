import { CornerLeftUp, ListFilter } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { GlobInput } from '@/components/reports/filter/draft-input';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { Label } from '@/components/ui/forms/label';
import { Segmented } from '@/components/ui/forms/segmented';
import { Select } from '@/components/ui/forms/select';
import { Switch } from '@/components/ui/forms/switch';
import { SegmentName } from './segment-name';
import { splitCrumbs } from './tree-path';
import { MAP_WIDTHS, useMapWidth } from './use-map-width';
import type { TreeState } from './use-tree-state';

const DELIMITERS = [':', '::', '/', '.', '-', '_', '|'];

export function TreeToolbar({ state }: { state: TreeState }) {
  const [mapWidth, setMapWidth] = useMapWidth();
  const t = useTranslations('tree');
  const crumbs = splitCrumbs(state.path, state.delimiter);
  const renderName = (segment: string | null) =>
    segment === null ? t('root') : <SegmentName segment={segment} max={32} />;
  const items = [{ segment: null as string | null, path: '' }, ...crumbs].map((crumb, i, all) => {
    const label = renderName(crumb.segment);
    const isLast = i === all.length - 1;
    return {
      key: `${i}:${crumb.path}`,
      node: isLast ? (
        <span className="font-medium">{label}</span>
      ) : (
        <button
          type="button"
          className="rounded hover:text-foreground hover:underline"
          onClick={() => state.go(crumb.path)}
        >
          {label}
        </button>
      ),
    };
  });
  const delimiters = DELIMITERS.includes(state.delimiter) ? DELIMITERS : [state.delimiter, ...DELIMITERS];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-2">
        <Button size="iconSm" disabled={state.path === ''} onClick={state.up} aria-label={t('up')} title={t('up')}>
          <CornerLeftUp aria-hidden />
        </Button>
        <div className="min-w-0">
          <Breadcrumb label={t('breadcrumb')} items={items} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <LevelSearch match={state.match} onMatch={(match) => state.set({ match: match || null })} />
        <div className="flex items-center gap-2" title={t('foldHint')}>
          <Switch id="tree-fold" checked={state.fold} onCheckedChange={(fold) => state.set({ fold })} />
          <Label htmlFor="tree-fold" className="font-normal">
            {t('fold')}
          </Label>
        </div>
        <Select
          size="sm"
          className="font-mono"
          aria-label={t('delimiter')}
          value={state.delimiter}
          onValueChange={(delimiter) => state.set({ delimiter })}
          options={delimiters.map((value) => ({ value, label: value }))}
        />
        <div className="flex items-center gap-2 max-xl:hidden">
          <span className="font-medium text-sm" aria-hidden>
            {t('map')}
          </span>
          <Segmented
            size="sm"
            label={t('map')}
            value={mapWidth}
            onValueChange={setMapWidth}
            options={MAP_WIDTHS.map((value) => ({ value, label: t(`mapWidth.${value}`) }))}
          />
        </div>
      </div>
    </div>
  );
}

/** Searches the nodes of this level by prefix or glob. The server searches over all pages. */
function LevelSearch({ match, onMatch }: { match: string; onMatch: (match: string) => void }) {
  const t = useTranslations('tree');
  return (
    <div className="relative w-64 max-sm:w-full">
      <ListFilter className="pointer-events-none absolute top-1.5 left-2 size-4 text-muted-foreground" aria-hidden />
      <GlobInput
        type="search"
        title={t('matchHint')}
        className="h-7 pl-7.5 font-mono text-xs"
        aria-label={t('match')}
        placeholder={t('matchPlaceholder')}
        value={match}
        maxLength={256}
        spellCheck={false}
        autoCapitalize="none"
        onCommit={onMatch}
      />
    </div>
  );
}

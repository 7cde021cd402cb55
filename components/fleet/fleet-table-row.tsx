'use client';
import { Ellipsis, Pencil, SquareArrowOutUpRight } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { Sparkline } from '@/components/charts/sparkline';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { JobMiniProgress } from '@/components/scans/job-mini-progress';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { ScanButton } from '@/components/scans/scan-button';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu';
import { InstanceTags } from '@/components/ui/instance-tags';
import { Td, Tr } from '@/components/ui/table';
import type { FleetRow } from '@/lib/model/fleet';
import { noExpiryShare } from './fleet-order';

export function FleetTableRow({ row }: { row: FleetRow }) {
  const t = useTranslations('fleet');
  const topologies = useTranslations('instances.topology');
  const router = useRouter();
  const f = useFormat();
  const { instance, latest, activeJob } = row;
  const href = `/instances/${encodeURIComponent(instance.id)}`;
  const share = noExpiryShare(row);
  return (
    <Tr>
      <Td className="max-w-72 py-2 xl:min-w-52">
        <Link href={href} className="block truncate rounded font-medium hover:text-accent hover:underline">
          {instance.name}
        </Link>
        <InstanceTags environment={instance.environment} tags={instance.tags} production={instance.production} />
        <span className="mt-0.5 block text-muted-foreground text-xs sm:hidden">
          {activeJob ? (
            <JobStateBadge state={activeJob.state} />
          ) : latest ? (
            <TimeAgo at={latest.endedAt ?? latest.startedAt} />
          ) : (
            t('never')
          )}
        </span>
      </Td>
      <Td className="max-2xl:hidden">
        <Badge>{topologies(instance.topology)}</Badge>
      </Td>
      <Td num>
        <Value value={latest?.keys} as="compact" />
      </Td>
      <Td num className="max-sm:hidden">
        <Value value={latest?.bytes} as="bytes" />
      </Td>
      <Td num>
        {row.score == null ? (
          <Value value={null} as="number" />
        ) : (
          <Link href={`${href}/findings`} className="font-medium hover:text-accent hover:underline">
            {f.decimal(row.score, 1)}
          </Link>
        )}
      </Td>
      <Td num className="max-lg:hidden">
        <Value value={row.findings?.mandatory} as="compact" />
      </Td>
      <Td num className="max-md:hidden">
        <Value value={latest?.bigkeys} as="compact" />
      </Td>
      <Td num className="max-md:hidden">
        <span className="inline-flex items-center justify-end gap-2">
          {share === null ? null : (
            <span className="h-1.5 w-12 overflow-hidden rounded-full bg-chart-track max-2xl:hidden" aria-hidden>
              <span className="block h-full rounded-full bg-chart-1" style={{ width: `${share * 100}%` }} />
            </span>
          )}
          <span className="min-w-12">
            <Value value={share} as="share" />
          </span>
        </span>
      </Td>
      <Td className="max-2xl:hidden">
        {row.history.length > 1 ? (
          <Sparkline
            width={64}
            values={row.history.map((h) => h.keys)}
            label={t('trendLabel', { count: row.history.length })}
          />
        ) : (
          <span className="text-muted-foreground">—</span>
        )}
      </Td>
      <Td className="whitespace-nowrap max-sm:hidden">
        {activeJob ? (
          activeJob.state === 'paused' ? (
            <JobStateBadge state="paused" />
          ) : (
            <JobMiniProgress job={activeJob} />
          )
        ) : latest ? (
          <TimeAgo at={latest.endedAt ?? latest.startedAt} className="num" />
        ) : (
          <span className="text-muted-foreground">{t('never')}</span>
        )}
      </Td>
      <Td className="w-px whitespace-nowrap text-right">
        <span className="inline-flex items-center gap-1">
          <ScanButton instance={instance} size="sm" disabled={activeJob !== null} className="max-sm:hidden" />
          <DropdownMenu>
            <DropdownMenuTrigger asChild>
              <Button variant="ghost" size="iconSm" aria-label={t('actionsFor', { name: instance.name })}>
                <Ellipsis aria-hidden />
              </Button>
            </DropdownMenuTrigger>
            <DropdownMenuContent>
              <DropdownMenuItem onSelect={() => router.push(href)}>
                <SquareArrowOutUpRight aria-hidden />
                {t('open')}
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={() => router.push(`${href}/edit`)}>
                <Pencil aria-hidden />
                {t('edit')}
              </DropdownMenuItem>
            </DropdownMenuContent>
          </DropdownMenu>
        </span>
      </Td>
    </Tr>
  );
}

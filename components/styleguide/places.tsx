import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ChipItem } from '@/components/reports/filter/chip-item';
import { Pager } from '@/components/reports/pager';
import { usePages } from '@/components/reports/use-pages';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { FactList, FactRow } from '@/components/ui/fact-list';
import { InstanceTags } from '@/components/ui/instance-tags';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { Sample } from './sample';

const CHIPS = ['prefix', 'type', 'size'] as const;
const PAGE = 200;
const TOTAL = 1034;

/** Where one is, what narrows it down, and the way on. */
export function Places() {
  const t = useTranslations('styleguide');
  const [chips, setChips] = useState<readonly (typeof CHIPS)[number][]>(CHIPS);
  const pages = usePages('styleguide', '');
  const last = pages.page === Math.floor(TOTAL / PAGE);
  const values = { prefix: <KeyName name="mall:cart:" />, type: 'hash, list', size: '≥ 1 MiB' };
  return (
    <Card>
      <CardHeader title={t('places')} />
      <CardBody className="space-y-4">
        <Sample of="Breadcrumb">
          <Breadcrumb
            label={t('place')}
            items={['mall', 'cart', '{int}'].map((name, at, all) => ({
              key: name,
              node:
                at === all.length - 1 ? (
                  <span className="font-medium">{name}</span>
                ) : (
                  <button type="button" className="rounded hover:text-foreground hover:underline">
                    {name}
                  </button>
                ),
            }))}
          />
        </Sample>
        <Sample of="ChipItem">
          <ul aria-label={t('chips')} className="flex flex-wrap items-center gap-1.5">
            {chips.map((chip) => (
              <ChipItem
                key={chip}
                name={t(`chip.${chip}`)}
                removeLabel={t('removeChip', { name: t(`chip.${chip}`) })}
                onRemove={() => setChips(chips.filter((one) => one !== chip))}
              >
                <span className="num truncate">{values[chip]}</span>
              </ChipItem>
            ))}
            {chips.length < CHIPS.length ? (
              <li>
                <Button variant="ghost" size="xs" onClick={() => setChips(CHIPS)}>
                  {t('again')}
                </Button>
              </li>
            ) : null}
          </ul>
        </Sample>
        <Sample of="Link">
          <Link href="/" className="rounded underline hover:text-foreground">
            {t('act')}
          </Link>
        </Sample>
        <Sample of="InstanceTags">
          <InstanceTags environment="production" tags={['shop', 'eu']} production readOnly />
          <InstanceTags environment="staging" tags={[]} />
        </Sample>
        <Sample of="FactList">
          <FactList>
            <FactRow label={t('known')}>1,234,567</FactRow>
            <FactRow label={t('unknown')} title={t('hint')}>
              —
            </FactRow>
          </FactList>
        </Sample>
      </CardBody>
      <Pager
        pages={pages}
        pageSize={PAGE}
        shown={last ? TOTAL % PAGE : PAGE}
        total={TOTAL}
        nextCursor={last ? null : `after ${pages.page}`}
      />
    </Card>
  );
}

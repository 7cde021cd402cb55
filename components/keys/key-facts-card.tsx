import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { decodeK } from '@/components/data/format/format-k';
import { UNKNOWN_TEXT, useFormat } from '@/components/data/format/use-format';
import { Value, type ValueKind } from '@/components/data/format/value';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { isModuleType } from '@/lib/model/keys/key-types';
import type { LiveKey } from '@/lib/model/keys/live-key';
import { MAX_EXPIRE_AT } from '@/lib/model/snapshots/facts-page';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';

type FactId =
  | 'type'
  | 'encoding'
  | 'bytes'
  | 'moduleBytes'
  | 'length'
  | 'valueLength'
  | 'ttl'
  | 'idle'
  | 'freq'
  | 'slot'
  | 'tag'
  | 'node'
  | 'nameBytes';

interface Fact {
  id: FactId;
  /** The value in the snapshot. */
  before: ReactNode;
  /** The value on the server. */
  now: ReactNode;
  changed?: boolean;
}

/** A difference counts only if both values are known. Times that pass (TTL, idle time) are not compared. */
const isDifferent = (a: unknown, b: unknown) => a != null && b != null && a !== b;

/** The facts of a key in two columns: as the snapshot has them, and as they are on the server now. */
export function KeyFactsCard(props: {
  row: KeyRow | null;
  /** Address of the node on which the snapshot saw the key. */
  node: string | null;
  /** Links to the keys of its slot and of its node in the snapshot; null: the key is not in the snapshot. */
  slotHref: string | null;
  nodeHref: string | null;
  /** The key as it is on the server; null: unknown, or it does not exist. */
  live: LiveKey | null;
  /** End of the scan, epoch ms. */
  asOf: number | null;
  k: string;
  /** Neither the snapshot nor the server has answered yet. */
  pending: boolean;
  /** The server has not answered yet. */
  livePending: boolean;
  /** The snapshot could not be read. */
  snapshotFailed: boolean;
}) {
  const t = useTranslations('keys.page');
  const f = useFormat();
  const { row, live, asOf } = props;
  const formatTtl = (known: boolean | undefined, ms: number | null | undefined) => {
    if (!known) return UNKNOWN_TEXT;
    if (ms === null || ms === undefined) return t('noExpiry');
    return (asOf ?? 0) + ms >= MAX_EXPIRE_AT ? t('beyondCalendar') : f.ms(Math.max(0, ms));
  };
  const snapshotTtlMs = row?.expireAt && asOf ? row.expireAt - asOf : null;
  const renderTag = (value: string | null | undefined) =>
    value ? <KeyName name={`{${value}}`} max={40} /> : <span className="text-muted-foreground">{t('noTag')}</span>;
  // The length of a string is its number of bytes.
  const renderLength = (key: KeyRow | LiveKey | null) =>
    key?.type === 'string' && key.length !== null ? (
      `${f.number(key.length)} B`
    ) : (
      <Value value={key?.length} as="number" />
    );
  const createTextFact = (id: 'type' | 'encoding'): Fact => ({
    id,
    before: row?.[id] ?? UNKNOWN_TEXT,
    now: live?.[id] ?? UNKNOWN_TEXT,
    changed: isDifferent(row?.[id], live?.[id]),
  });
  const createFigureFact = (id: FactId, field: 'bytes' | 'idleSeconds' | 'freq', as: ValueKind): Fact => ({
    id,
    before: <Value value={row?.[field]} as={as} />,
    now: <Value value={live?.[field]} as={as} />,
  });
  const type = live?.type ?? row?.type ?? null;
  const nameBytes = f.number(row?.nameBytes ?? live?.nameBytes ?? decodeK(props.k).length);
  const facts: Fact[] = [
    createTextFact('type'),
    createTextFact('encoding'),
    {
      ...createFigureFact(isModuleType(type) ? 'moduleBytes' : 'bytes', 'bytes', 'bytes'),
      changed: isDifferent(row?.bytes, live?.bytes),
    },
    {
      id: type === 'string' ? 'valueLength' : 'length',
      before: renderLength(row),
      now: renderLength(live),
      changed: isDifferent(row?.length, live?.length),
    },
    {
      id: 'ttl',
      before: formatTtl(row?.expiryKnown, snapshotTtlMs),
      now: formatTtl(live?.expiryKnown, live?.ttlMs),
      // Only the presence of an expiry is compared.
      changed: Boolean(row?.expiryKnown && live?.expiryKnown && (row.expireAt === null) !== (live.ttlMs === null)),
    },
    createFigureFact('idle', 'idleSeconds', 'seconds'),
    ...(row?.freq != null || live?.freq != null ? [createFigureFact('freq', 'freq', 'number')] : []),
    {
      id: 'slot',
      before: row ? renderLinked(props.slotHref, row.slot) : UNKNOWN_TEXT,
      now: live?.slot ?? UNKNOWN_TEXT,
    },
    { id: 'tag', before: row ? renderTag(row.tag) : UNKNOWN_TEXT, now: live ? renderTag(live.tag) : UNKNOWN_TEXT },
    {
      id: 'node',
      before: props.node
        ? renderLinked(props.nodeHref, <span className="font-mono max-sm:break-all max-sm:text-xs">{props.node}</span>)
        : UNKNOWN_TEXT,
      now: live ? <span className="font-mono max-sm:break-all max-sm:text-xs">{live.address}</span> : UNKNOWN_TEXT,
    },
    { id: 'nameBytes', before: `${nameBytes} B`, now: `${nameBytes} B` },
  ];
  return (
    <Card>
      <CardHeader
        title={t('facts')}
        description={row || props.pending || props.snapshotFailed ? undefined : t('notInSnapshot')}
        actions={row || live ? <OneTableMenu id="key-facts" name={t('facts')} /> : null}
      />
      {props.pending ? (
        <SkeletonRows rows={10} />
      ) : (
        <TableScroll label={t('facts')}>
          <Table data-table="key-facts" className="max-sm:[&_td]:px-2 max-sm:[&_th]:px-2">
            <THead>
              <tr>
                <Th>{t('fact')}</Th>
                <Th right className="max-sm:h-10 max-sm:whitespace-normal">
                  {t('snapshot')}
                </Th>
                <Th right className="max-sm:h-10 max-sm:whitespace-normal">
                  {t('now')}
                </Th>
              </tr>
            </THead>
            <TBody>
              {facts.map((fact) => (
                <Tr key={fact.id}>
                  <Td className="whitespace-nowrap text-muted-foreground">{t(fact.id)}</Td>
                  <Td num>{row ? fact.before : <span className="text-muted-foreground">{UNKNOWN_TEXT}</span>}</Td>
                  <Td num className={fact.changed ? 'font-medium' : undefined}>
                    {fact.changed ? (
                      <Badge tone="accent" className="mr-2">
                        {t('changed')}
                      </Badge>
                    ) : null}
                    {live ? (
                      fact.now
                    ) : (
                      <span className="text-muted-foreground">{props.livePending ? '…' : UNKNOWN_TEXT}</span>
                    )}
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      )}
    </Card>
  );
}

const renderLinked = (href: string | null, content: ReactNode) =>
  href === null ? (
    content
  ) : (
    <Link href={href} className="text-accent hover:underline">
      {content}
    </Link>
  );

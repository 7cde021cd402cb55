import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { getTypeColor, TypeBadge } from '@/components/ui/type-badge';
import { MAX_EXPIRE_AT } from '@/lib/model/snapshots/facts-page';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { useKeyHref } from './use-report-href';

/** Names up to this length, in characters, fit or are cut at the end. */
const SHORT = 32;
/** Number of characters at the end of a longer name that are always visible. */
const TAIL = 12;

/** Keeps the end of a long name visible however narrow the column is, because similar names differ at the end. */
function BothEnds({ name }: { name: string }) {
  const characters = [...name];
  if (characters.length <= SHORT) return <KeyName name={name} />;
  return (
    <span className="flex min-w-0">
      <KeyName name={characters.slice(0, -TAIL).join('')} max={0} />
      <KeyName name={characters.slice(-TAIL).join('')} max={0} className="shrink-0" />
    </span>
  );
}

/** Only the beginning of the name was kept, so there is no end to show; the title says how long the name is. */
function CutName({ row }: { row: KeyRow }) {
  const t = useTranslations('keys');
  const f = useFormat();
  const size = f.bytes(row.nameBytes);
  return (
    <span className="flex min-w-0 items-baseline gap-1" title={t('noAddress', { size })}>
      <KeyName name={[...row.name].slice(0, 60).join('')} max={0} />
      <span className="num shrink-0 text-muted-foreground text-xs">… {size}</span>
    </span>
  );
}

/** The name as a link to the key's page. A name that is too long has no address and says so. */
export function NameCell({ row, instanceId }: { row: KeyRow; instanceId: string }) {
  const href = useKeyHref(instanceId);
  const name = (
    <>
      <span
        aria-hidden
        className="size-2 shrink-0 rounded-[2px] sm:hidden"
        style={{ background: getTypeColor(row.type) }}
      />
      {row.k === null ? <CutName row={row} /> : <BothEnds name={row.name} />}
    </>
  );
  return row.k === null ? (
    <span className="flex min-w-0 items-center gap-2">{name}</span>
  ) : (
    <Link href={href(row.k, row.db)} className="flex min-w-0 items-center gap-2 hover:text-accent hover:underline">
      {name}
    </Link>
  );
}

export const TypeCell = ({ row }: { row: KeyRow }) => <TypeBadge type={row.type} />;

/** Number of elements of a collection. A string has none: its length in bytes is its size. */
export function LengthCell({ row, className }: { row: Pick<KeyRow, 'type' | 'length'>; className?: string }) {
  if (row.type === 'string') return null;
  return <Value value={row.length} as="number" className={className} />;
}

/** Remaining time, counted from the end of the scan. ∞: no expiry; —: not known. */
export function TtlCell({ row, asOf }: { row: Pick<KeyRow, 'expireAt' | 'expiryKnown'>; asOf: number }) {
  const t = useTranslations('keys.page');
  const filters = useTranslations('filters');
  const f = useFormat();
  if (!row.expiryKnown) return <Value value={null} as="seconds" />;
  if (row.expireAt === null) {
    return (
      <span className="text-muted-foreground" title={t('noExpiry')}>
        <span aria-hidden>∞</span>
        <span className="sr-only">{t('noExpiry')}</span>
      </span>
    );
  }
  if (row.expireAt <= asOf) return <span className="text-warning">{filters('expiryExpired')}</span>;
  if (row.expireAt >= MAX_EXPIRE_AT) return <span>{t('beyondCalendar')}</span>;
  return <span title={f.dateTimeExact(row.expireAt)}>{f.ms(row.expireAt - asOf)}</span>;
}

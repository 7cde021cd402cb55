import { displayBytes } from '@/components/data/format/name-of-k';
import { KeyName } from '@/components/ui/key-name';
import type { PreviewBytes } from '@/lib/model/keys/live-key';
import { ValueText } from './value-text';
import { bytesOf, type ValueView } from './value-view';

/** The fields of a stream entry in their order; a field may occur twice. */
export function EntryFields({ parts, view }: { parts: PreviewBytes[]; view: Exclude<ValueView, 'text'> }) {
  const pairs = Array.from({ length: Math.floor(parts.length / 2) }, (_, i) => parts.slice(2 * i, 2 * i + 2));
  return (
    <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-3 gap-y-1">
      {pairs.map(([field, value], i) =>
        field && value ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields may repeat; their place is their identity
          <div key={i} className="contents">
            <dt className="text-muted-foreground">
              <KeyName name={displayBytes(bytesOf(field))} max={80} wrap />
            </dt>
            <dd>
              <ValueText value={value} text={displayBytes(bytesOf(value))} view={view} />
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

import NextLink, { useLinkStatus } from 'next/link';
import { type ComponentProps, useState } from 'react';
import { UnderwayBar } from './underway/underway-bar';

/**
 * The only component for links to Colonnade's own pages; the linter forbids next/link elsewhere. It prefetches a page
 * once a person points at the link or focuses it, not when it becomes visible: a table of links would prefetch every
 * row.
 */
export function Link({ children, ...props }: Omit<ComponentProps<typeof NextLink>, 'prefetch'>) {
  const [pointedAt, setPointedAt] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={pointedAt ? null : false}
      onPointerEnter={(event) => {
        setPointedAt(true);
        props.onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setPointedAt(true);
        props.onFocus?.(event);
      }}
    >
      {children}
      <Underway />
    </NextLink>
  );
}

function Underway() {
  const { pending } = useLinkStatus();
  return pending ? <UnderwayBar /> : null;
}

import NextLink, { useLinkStatus } from 'next/link';
import { type ComponentProps, useState } from 'react';
import { UnderwayBar } from './underway/underway-bar';

/**
 * The one link to a page of ours; the linter forbids next/link elsewhere. It asks for what lies behind it once somebody
 * points at it or comes to it by keyboard, not when it comes into view: a table of links would ask for every row.
 */
export function Link({ children, ...props }: Omit<ComponentProps<typeof NextLink>, 'prefetch'>) {
  const [meant, setMeant] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={meant ? null : false}
      onPointerEnter={(event) => {
        setMeant(true);
        props.onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setMeant(true);
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

import { Slot } from 'radix-ui';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import type { TipListeners } from './tip-listeners';

const useParts = onDemand(() => import('./parts/tooltip-parts'));

/** Shows more text on hover and focus. The code that draws it is loaded at the first of either. */
export function Tooltip(props: { content: ReactNode; children: ReactElement }) {
  const [near, setNear] = useState(false);
  const [describedBy, setDescribedBy] = useState<string>();
  const parts = useParts(near);
  const trigger = useRef<HTMLElement>(null);
  const tip = useRef<TipListeners>({});
  return (
    <>
      <Slot.Root
        ref={trigger}
        aria-describedby={describedBy}
        onPointerEnter={() => setNear(true)}
        onPointerMove={(event) => tip.current.onPointerMove?.(event)}
        onPointerLeave={(event) => tip.current.onPointerLeave?.(event)}
        onPointerDown={(event) => tip.current.onPointerDown?.(event)}
        onFocus={(event) => {
          setNear(true);
          tip.current.onFocus?.(event);
        }}
        onBlur={(event) => tip.current.onBlur?.(event)}
        onClick={(event) => tip.current.onClick?.(event)}
      >
        {props.children}
      </Slot.Root>
      {parts ? (
        <parts.Tip trigger={trigger} listeners={tip} onDescribe={setDescribedBy} content={props.content} />
      ) : null}
    </>
  );
}

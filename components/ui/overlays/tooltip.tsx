import { Slot } from 'radix-ui';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import type { TipListeners } from './tip-listeners';

const useParts = onDemand(() => import('./parts/tooltip-parts'));

/** Shows more text on hover and focus. The code that draws it is loaded at the first of either. */
export function Tooltip(props: { content: ReactNode; children: ReactElement }) {
  const [reached, setReached] = useState(false);
  const [describedBy, setDescribedBy] = useState<string>();
  const parts = useParts(reached);
  const trigger = useRef<HTMLElement>(null);
  /** The handlers of the loaded tooltip, which it sets itself. */
  const listeners = useRef<TipListeners>({});
  return (
    <>
      <Slot.Root
        ref={trigger}
        aria-describedby={describedBy}
        onPointerEnter={() => setReached(true)}
        onPointerMove={(event) => listeners.current.onPointerMove?.(event)}
        onPointerLeave={(event) => listeners.current.onPointerLeave?.(event)}
        onPointerDown={(event) => listeners.current.onPointerDown?.(event)}
        onFocus={(event) => {
          setReached(true);
          listeners.current.onFocus?.(event);
        }}
        onBlur={(event) => listeners.current.onBlur?.(event)}
        onClick={(event) => listeners.current.onClick?.(event)}
      >
        {props.children}
      </Slot.Root>
      {parts ? (
        <parts.Tip trigger={trigger} listeners={listeners} onDescribe={setDescribedBy} content={props.content} />
      ) : null}
    </>
  );
}

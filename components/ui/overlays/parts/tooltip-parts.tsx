import { Tooltip as Radix } from 'radix-ui';
import { type ReactNode, type Ref, type RefObject, useImperativeHandle, useLayoutEffect } from 'react';
import type { TipListeners } from '../tip-listeners';

interface Trigger {
  trigger: RefObject<HTMLElement | null>;
  listeners: RefObject<TipListeners>;
  onDescribe: (id: string | undefined) => void;
}

/** A tooltip. It opens at once if the pointer or the keyboard focus reached the trigger while this code was loading. */
export function Tip(props: Trigger & { content: ReactNode }) {
  return (
    <Radix.Provider>
      <Radix.Root delayDuration={250} defaultOpen={props.trigger.current?.matches(':hover, :focus-visible') ?? false}>
        <Radix.Trigger asChild>
          <TriggerProxy trigger={props.trigger} listeners={props.listeners} onDescribe={props.onDescribe} />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side="top"
            sideOffset={6}
            collisionPadding={8}
            className="fade-in-0 z-[60] max-w-72 animate-in rounded-md bg-foreground px-2 py-1 text-background text-xs shadow-float duration-100"
          >
            {props.content}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}

/**
 * Represents the trigger of the page inside Radix, and passes on the handlers and attributes that Radix would have set
 * on it.
 */
function TriggerProxy(
  props: Trigger & TipListeners & { 'data-state'?: string; 'aria-describedby'?: string; ref?: Ref<HTMLElement> },
) {
  const { trigger, listeners, onDescribe, ref, 'aria-describedby': description, 'data-state': _, ...handlers } = props;
  useImperativeHandle(ref, () => trigger.current as HTMLElement);
  useLayoutEffect(() => {
    listeners.current = handlers;
    onDescribe(description);
  });
  return null;
}

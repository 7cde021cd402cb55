import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export const TooltipProvider = Radix.Provider;

export function Tooltip(props: {
  content: ReactNode;
  children: ReactElement;
  side?: 'top' | 'right' | 'bottom' | 'left';
}) {
  return (
    <Radix.Root delayDuration={250}>
      <Radix.Trigger asChild>{props.children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={props.side ?? 'top'}
          sideOffset={6}
          collisionPadding={8}
          className="fade-in-0 z-[60] max-w-72 animate-in rounded-md bg-foreground px-2 py-1 text-background text-xs shadow-float duration-100"
        >
          {props.content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

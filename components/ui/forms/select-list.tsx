import { Check } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { RefObject } from 'react';
import { TriggerOnPage } from '@/components/ui/on-demand/trigger-on-page';
import type { SelectOption } from './select-option';

/** The list of a select (select.tsx), positioned at its trigger on the page. */
export function SelectList<V extends string>(props: {
  trigger: RefObject<HTMLButtonElement | null>;
  listId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  value: V | undefined;
  onValueChange: (value: V) => void;
  options: readonly SelectOption<V>[];
}) {
  return (
    <Radix.Root
      open={props.open}
      onOpenChange={props.onOpenChange}
      value={props.value}
      onValueChange={(value) => props.onValueChange(value as V)}
    >
      <Radix.Trigger asChild>
        <TriggerOnPage element={props.trigger} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          id={props.listId}
          position="popper"
          sideOffset={4}
          className="fade-in-0 z-50 max-h-[min(24rem,var(--radix-select-content-available-height))] min-w-[var(--radix-select-trigger-width)] max-w-[calc(100vw-1rem)] animate-in overflow-hidden rounded-lg border bg-surface shadow-float duration-100"
        >
          <Radix.Viewport className="p-1">
            {props.options.map(({ value, label }) => (
              <Radix.Item
                key={value}
                value={value}
                className="relative flex cursor-default select-none items-center rounded-md py-1.5 pr-8 pl-2 text-sm outline-none data-[highlighted]:bg-hover"
              >
                <div className="min-w-0 [overflow-wrap:anywhere]">
                  <Radix.ItemText>{label}</Radix.ItemText>
                </div>
                <Radix.ItemIndicator className="absolute right-2">
                  <Check className="size-3.5 text-accent" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

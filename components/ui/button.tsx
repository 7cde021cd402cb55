import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { Slot } from 'radix-ui';
import { type ComponentProps, createContext, isValidElement, type MouseEvent, type ReactNode, useContext } from 'react';
import { cn } from './cn';

/** The id of the text that says why no button within may be used; null: the buttons decide themselves. */
export const DisabledReason = createContext<string | null>(null);

export const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium text-sm transition-colors select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:shrink-0 [&_svg:not([class*=size-])]:size-3.5',
  {
    variants: {
      size: {
        xs: 'h-6 px-2 text-xs',
        sm: 'h-7 px-2.5',
        md: 'h-8 px-3',
        lg: 'h-9 px-4',
        icon: 'size-8',
        iconSm: 'size-7',
        iconXs: 'size-6',
      },
      // After the sizes, because a link has none.
      variant: {
        primary: 'bg-accent-solid text-accent-foreground shadow-card hover:bg-accent-solid-hover',
        secondary: 'border border-control-border bg-surface text-foreground shadow-card hover:bg-hover',
        ghost: 'text-muted-foreground hover:bg-hover hover:text-foreground',
        danger: 'bg-danger-solid text-accent-foreground shadow-card hover:opacity-90',
        dangerGhost: 'text-danger hover:bg-danger-soft',
        link: 'h-auto px-0 text-accent underline-offset-4 hover:underline',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonVariants> {
  asChild?: boolean;
  /**
   * Shows a spinner and ignores clicks. A button that may become busy also ignores the second click of a double click,
   * which comes before `busy` is set.
   */
  busy?: boolean;
}

export function Button(props: ButtonProps) {
  const { className, variant, size, asChild, busy, children, disabled, type, onClick, ...rest } = props;
  function clickOnce(event: MouseEvent<HTMLButtonElement>) {
    // A double click on a submit button must not submit its form twice either.
    if (event.detail > 1) event.preventDefault();
    else onClick?.(event);
  }
  const classes = cn(buttonVariants({ variant, size }), className);
  const reasonId = useContext(DisabledReason);
  if (reasonId !== null)
    return (
      <button type="button" className={classes} disabled aria-describedby={reasonId}>
        {asChild && isValidElement<{ children?: ReactNode }>(children) ? children.props.children : children}
      </button>
    );
  if (asChild)
    return (
      <Slot.Root className={classes} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    );
  return (
    <button
      type={type ?? 'button'}
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onClick={busy === undefined ? onClick : clickOnce}
      {...rest}
    >
      {busy ? <LoaderCircle className="animate-spin" aria-hidden /> : null}
      {children}
    </button>
  );
}

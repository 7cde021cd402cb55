import type { MouseEvent } from 'react';

/** A checkbox for one row or for all. It listens to the click event, which knows whether Shift is held. */
export function SelectBox(props: {
  label: string;
  checked: boolean;
  some?: boolean;
  disabled?: boolean;
  /** false: Tab does not stop here, as in tables whose rows are reached with the arrow keys. */
  reachable?: boolean;
  onClick: (event: MouseEvent<HTMLInputElement>) => void;
}) {
  return (
    <input
      type="checkbox"
      ref={(box) => {
        if (box) box.indeterminate = !props.checked && props.some === true;
      }}
      className="size-4 align-middle accent-accent-solid"
      aria-label={props.label}
      disabled={props.disabled}
      tabIndex={props.reachable === false ? -1 : undefined}
      checked={props.checked}
      onClick={props.onClick}
      // onClick does the work; React warns about a controlled checkbox without this handler.
      onChange={() => undefined}
    />
  );
}

import { useCalendarNames } from './use-cron-words';

const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Days of the week (1 = Monday) to tick. */
export function DayBoxes(props: { label: string; days: readonly number[]; onChange: (days: number[]) => void }) {
  const names = useCalendarNames();
  return (
    <fieldset className="space-y-1.5">
      <legend className="font-medium text-sm">{props.label}</legend>
      <div className="flex flex-wrap gap-x-3 gap-y-1">
        {DAYS.map((day) => (
          <label key={day} className="flex items-center gap-1.5 text-sm">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={props.days.includes(day)}
              onChange={({ target }) =>
                props.onChange(DAYS.filter((one) => (one === day ? target.checked : props.days.includes(one))))
              }
            />
            {names.shortWeekday(day)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

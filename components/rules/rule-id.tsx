/** The stable id of a rule, as it stands in profiles, exports and the command line. */
export function RuleId({ id }: { id: string }) {
  return (
    <span className="inline-flex h-5 min-w-8 shrink-0 items-center justify-center rounded border border-border-strong px-1 font-mono text-2xs">
      {id}
    </span>
  );
}

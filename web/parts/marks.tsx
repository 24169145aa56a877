/** An instance's status, and whether it is at its end. */
export function Status({ status, done }: { readonly status: string; readonly done?: boolean }) {
  return (
    <span class={done ? 'status done' : 'status'}>
      {status}
      {done && <span aria-hidden="true"> ✓</span>}
      {done && <span class="hidden"> (done)</span>}
    </span>
  );
}

/** How far along something is, 0 to 1; a dash where nobody can tell. */
export function Progress({ value }: { readonly value: number | null }) {
  if (value === null) return <span class="faint">–</span>;
  const percent = Math.floor(value * 100);
  return (
    <span class="progress">
      <progress max={100} value={percent} aria-label="Progress" />
      <span class="number">{percent} %</span>
    </span>
  );
}

/** How many events of an instance are parked, where there are any. */
export function Parked({ count }: { readonly count: number }) {
  return count > 0 ? <span class="tag warn">{count} parked</span> : null;
}

/** Counted things, `1,000+` where there are more than were counted. */
export function Count({ of, more }: { readonly of: number; readonly more: boolean }) {
  return (
    <span class="number">
      {of.toLocaleString()}
      {more && '+'}
    </span>
  );
}

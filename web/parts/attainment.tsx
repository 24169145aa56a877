import { serviceNow } from '../api/service-clock.ts';
import type { Overview } from '../api/types.ts';

type Sla = Overview['models'][number]['sla'];

/**
 * Shows the share of deadlines that were met in the current and the previous week. Renders nothing if there were no
 * deadlines.
 */
export function Attainment({ label, sla }: { readonly label: string; readonly sla: Sla }) {
  if (sla.length === 0) return null;
  const thisWeek = sla.findLast(({ from }) => serviceNow() - Date.parse(from) < 7 * 86_400_000);
  const lastWeek = sla.find((week) => week !== thisWeek);
  return (
    <p class="attainment">
      <span>
        <bdi>{label}</bdi>
        <span class="hidden">: </span>
      </span>
      <span>
        {thisWeek && <Share of={thisWeek} when="this week" />}
        {thisWeek && lastWeek && <span class="hidden">, </span>}
        {lastWeek && <Share of={lastWeek} when="last week" />}
      </span>
    </p>
  );
}

function Share({ of, when }: { readonly of: Sla[number]; readonly when: string }) {
  const { attainment, met, breached, open } = of;
  const percent = attainment === null ? '–' : `${(Math.floor(attainment * 1000) / 10).toFixed(1)}%`;
  return (
    <span title={`${met} met, ${breached} breached, ${open} open`}>
      <b>{percent}</b> {when}
    </span>
  );
}

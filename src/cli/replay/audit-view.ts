import { count } from '../output/format.ts';
import type { TableLayout } from '../output/table.ts';
import type { AuditReport } from './audit-summary.ts';
import { reportText, table } from './report-view.ts';

/** Renders the findings of an audit, and the number of instances that are being rebuilt or need a rebuild. */
export function auditText(report: AuditReport, page: TableLayout, apply: boolean): string {
  const { audited, toRebuild, rebuilding } = report;
  const end = apply
    ? `Rebuilding ${rebuilding} of ${count(audited, 'instance')} in the background.`
    : `${toRebuild} of ${count(audited, 'instance')} ${toRebuild === 1 ? 'needs' : 'need'} a rebuild; to start the rebuild, add --apply.`;
  return [
    ...(report.instances > 0 ? [reportText(report, page)] : []),
    table(page, 'Status rows', ['row', 'instances'], report.rows, (each) => [
      each.row,
      String(each.count),
    ]),
    table(page, 'Not folded', ['instances', 'error'], report.unread, (each) => [
      String(each.count),
      each.error,
    ]),
    toRebuild === 0 ? `${count(audited, 'instance')} audited: no rebuild needed.` : end,
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

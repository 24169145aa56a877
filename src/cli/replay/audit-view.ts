import type { TableLayout } from '../output/table.ts';
import type { AuditReport } from './audit-summary.ts';
import { count, reportText, table } from './report-view.ts';

/** What an audit found, and what a rebuild would do or is going to, as people read it. */
export function auditText(report: AuditReport, page: TableLayout, apply: boolean): string {
  const { audited, toRebuild, rebuilding } = report;
  const end = apply
    ? `${count(rebuilding, 'instance')} of ${audited} will be rebuilt, as soon as the stream gets there.`
    : `${count(toRebuild, 'instance')} of ${audited} would be rebuilt: --apply does it.`;
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
    toRebuild === 0 ? `All of ${count(audited, 'instance')} are as they should be.` : end,
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

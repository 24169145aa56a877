import { type Audit, requiredRebuild } from '../../core/replay/audit.ts';
import { type CountedExamples, ExampleCounter } from '../../core/replay/example-counter.ts';
import { type ReplayReport, ReplaySummary } from '../../core/replay/replay-report.ts';
import type { AuditPage } from './audits.ts';

interface WithTransaction {
  readonly transaction: string;
}

/** The result of comparing instances with their histories. */
export interface AuditReport extends ReplayReport {
  /** The number of audited instances. */
  readonly audited: number;
  /** The status rows that are missing or differ from their commits. */
  readonly rows: readonly ({
    readonly row: 'missing' | 'wrong';
  } & CountedExamples<WithTransaction>)[];
  /** The instances whose histories could not be folded, by error. */
  readonly unread: readonly ({ readonly error: string } & CountedExamples<WithTransaction>)[];
  /** The number of instances that a rebuild would change. */
  readonly toRebuild: number;
  /** The number of instances whose rebuild was requested with an event on the stream. */
  readonly rebuilding: number;
}

/** Combines pages of audits into one report. */
export class AuditSummary {
  readonly #folded: ReplaySummary;
  readonly #rows = new ExampleCounter<{ row: 'missing' | 'wrong' }, WithTransaction>((row) => row);
  readonly #unread = new ExampleCounter<{ error: string }, WithTransaction>(() => ({ error: '…' }));
  #audited = 0;
  #toRebuild = 0;
  #rebuilding = 0;

  constructor(model: { readonly id: string; readonly version: number }) {
    this.#folded = new ReplaySummary(model);
  }

  get size(): Pick<AuditReport, 'audited' | 'toRebuild'> {
    return { audited: this.#audited, toRebuild: this.#toRebuild };
  }

  add({ audits, rebuilding }: AuditPage): void {
    this.#rebuilding += rebuilding;
    for (const audit of audits) this.#addOne(audit);
  }

  report(): AuditReport {
    return {
      ...this.#folded.report(),
      audited: this.#audited,
      rows: this.#rows.list(),
      unread: this.#unread.list(),
      toRebuild: this.#toRebuild,
      rebuilding: this.#rebuilding,
    };
  }

  #addOne(audit: Audit): void {
    const { transaction, row, replayed, error, skipped } = audit;
    if (skipped) return;
    this.#audited += 1;
    if (requiredRebuild(audit) !== 'nothing') this.#toRebuild += 1;
    if (row === 'missing' || row === 'wrong') this.#rows.add({ row }, { transaction });
    if (error !== null) this.#unread.add({ error }, { transaction });
    if (replayed) this.#folded.add(transaction, replayed);
  }
}

import type { AuditInvocation, ModelAuditor } from '../../src/api/stores/model-auditor.ts';
import type { Model } from '../../src/core/model/model.ts';
import { audit } from '../../src/model-runtime/audit/audit.ts';
import type { ExamineEnvironment } from '../../src/model-runtime/audit/examine.ts';
import type { AuditRequest } from '../../src/model-runtime/protocol.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';
import { MemoryStatusRows } from './memory-status-rows.ts';

/** The Lambda of one model that audits, in this process. */
export class LocalAuditor implements ModelAuditor {
  readonly #environment: ExamineEnvironment;
  /** What it says instead of an answer. */
  fails: AuditInvocation | undefined;
  /** How many instances there is time for. */
  atOnce = Number.POSITIVE_INFINITY;

  constructor(model: Model, store: MemoryInstanceStore, clock: ExamineEnvironment['clock']) {
    this.#environment = { model, store, clock, rows: new MemoryStatusRows(store) };
  }

  async audit(_: string, request: AuditRequest): Promise<AuditInvocation> {
    if (this.fails) return this.fails;
    const transactions = request.transactions.slice(0, this.atOnce);
    const audits = await audit(this.#environment, { ...request, transactions });
    return { kind: 'answered', answer: { audits } };
  }
}

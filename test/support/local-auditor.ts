import type { AuditInvocation, ModelAuditor } from '../../src/api/stores/model-auditor.ts';
import type { Model } from '../../src/core/model/model.ts';
import { auditInstances } from '../../src/model-runtime/audit/audit-instances.ts';
import type { VerifyDependencies } from '../../src/model-runtime/audit/verify-instance.ts';
import type { AuditRequest } from '../../src/model-runtime/protocol.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';
import { MemoryStatusRows } from './memory-status-rows.ts';

/** The Lambda of one model that audits, in this process. */
export class LocalAuditor implements ModelAuditor {
  readonly #environment: VerifyDependencies;
  /** The failure to return instead of an answer. */
  fails: AuditInvocation | undefined;
  /** The number of instances for which there is time. */
  atOnce = Number.POSITIVE_INFINITY;

  constructor(model: Model, store: MemoryInstanceStore, clock: VerifyDependencies['clock']) {
    this.#environment = { model, store, clock, rows: new MemoryStatusRows(store) };
  }

  async audit(_: string, request: AuditRequest): Promise<AuditInvocation> {
    if (this.fails) return this.fails;
    const transactions = request.transactions.slice(0, this.atOnce);
    const audits = await auditInstances(this.#environment, { ...request, transactions });
    return { kind: 'answered', answer: { audits } };
  }
}

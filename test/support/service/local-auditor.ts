import type {
  AuditInvocation,
  DeadlinesInvocation,
  FoldUntilInvocation,
  ModelAuditor,
} from '../../../src/api/stores/model-auditor.ts';
import type { Model } from '../../../src/core/model/model.ts';
import { auditInstances } from '../../../src/model-runtime/audit/audit-instances.ts';
import { foldUntil } from '../../../src/model-runtime/audit/fold-until.ts';
import type { VerifyDependencies } from '../../../src/model-runtime/audit/verify-instance.ts';
import type {
  AuditRequest,
  DeadlinesRequest,
  FoldUntilRequest,
} from '../../../src/model-runtime/protocol.ts';
import { readDeadlines } from '../../../src/model-runtime/read-deadlines.ts';
import type { InstancesInMemory } from '../aws-in-memory/instances-in-memory.ts';

/** An auditor that folds histories in this process instead of in the model's function. */
export class LocalAuditor implements ModelAuditor {
  readonly #environment: VerifyDependencies;
  /** The failure to return instead of a result; undefined to audit. */
  fails: Exclude<AuditInvocation, { kind: 'answered' }> | undefined;
  /** The maximum number of instances per call. */
  atOnce = Number.POSITIVE_INFINITY;

  constructor(
    model: Model,
    { store, rows }: InstancesInMemory,
    clock: VerifyDependencies['clock'],
  ) {
    this.#environment = { model, store, clock, rows };
  }

  async audit(_: string, request: AuditRequest): Promise<AuditInvocation> {
    if (this.fails) return this.fails;
    const transactions = request.transactions.slice(0, this.atOnce);
    const audits = await auditInstances(this.#environment, { ...request, transactions });
    return { kind: 'answered', answer: { audits } };
  }

  async deadlines(_: string, request: DeadlinesRequest): Promise<DeadlinesInvocation> {
    return (
      this.fails ?? { kind: 'answered', answer: await readDeadlines(this.#environment, request) }
    );
  }

  async foldUntil(_: string, request: FoldUntilRequest): Promise<FoldUntilInvocation> {
    return this.fails ?? { kind: 'answered', answer: await foldUntil(this.#environment, request) };
  }
}

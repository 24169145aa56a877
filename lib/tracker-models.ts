import { Construct } from 'constructs';
import { canaryModel } from '../src/canary/canary-model.ts';
import { MilepostError } from '../src/core/errors.ts';
import { modelIdPattern } from '../src/core/event/event.ts';
import { CanaryModel } from './model-functions/canary-model.ts';
import {
  defaultModelTimeout,
  Model,
  type ModelProps,
  type ModelScopeProps,
} from './model-functions/model.ts';
import {
  type ModelFunctionProps,
  ModelHost,
  modelHostTimeout,
} from './model-functions/model-host.ts';
import {
  grantInvoke,
  grantInvokeVersions,
  grantRetireVersions,
} from './model-functions/model-permissions.ts';
import type { Registrar } from './model-functions/registrar.ts';
import { checkModelProps } from './options/check-model-props.ts';
import { modelFunctionOptions, modelOptions } from './options/option-names.ts';
import { requireSameRegion } from './options/require-same-region.ts';
import { shown } from './options/shown.ts';
import { warnOfMisspelledOptions } from './options/warn-of-misspelled-options.ts';
import { checkModelTime, type ModelRetries } from './pipeline/dispatcher-time.ts';
import type { ServiceFunction, ServiceProps } from './service-function.ts';
import type { TrackerMonitoring } from './tracker-monitoring.ts';

/** The resources of a tracker that its models use. */
export interface ModelConnections {
  /** Properties that every model's construct receives in addition to its own. */
  readonly scopeProps: Omit<ModelScopeProps & ServiceProps, keyof ModelProps | 'registrar'>;
  readonly registrar: Registrar;
  /** The functions that invoke the current version of models. */
  readonly invokers: readonly ServiceFunction[];
  readonly monitoring: TrackerMonitoring;
}

/** The models of a tracker. */
export class TrackerModels extends Construct {
  readonly #retries: ModelRetries;

  constructor(scope: Construct, id: string, retries: ModelRetries) {
    super(scope, id);
    this.#retries = retries;
  }

  /** The ids of the models added so far. */
  get ids(): string[] {
    return this.node.children.map(({ node }) => node.id);
  }

  has(id: string): boolean {
    return this.node.tryFindChild(id) !== undefined;
  }

  /**
   * Adds a model.
   *
   * @throws MilepostError `bad-model` for an invalid, reserved, or duplicate id, or a timeout that is too long,
   * and `bad-request` for another invalid setting.
   */
  add(id: string, props: ModelProps, connections: ModelConnections): Model {
    this.#checkNew(id);
    if (typeof props?.entry !== 'string' || props.entry === '')
      throw new MilepostError(
        'bad-request',
        `model "${id}": \`entry\` must be the path of the file that exports the result of \`serve\`, such as 'models/${id}/lambda.ts'; got ${JSON.stringify(props?.entry)}`,
      );
    checkModelProps(id, props);
    const { timeout = defaultModelTimeout } = props;
    checkModelTime(`model "${id}"`, timeout, this.#retries);
    const scopeProps = { ...connections.scopeProps, registrar: connections.registrar.function };
    const model = new Model(this, id, { ...props, ...scopeProps });
    warnOfMisspelledOptions(model, `model "${id}"`, props, modelOptions);
    connect(id, model, connections);
    grantRetireVersions(connections.registrar, model.function);
    for (const invoker of connections.invokers) grantInvokeVersions(invoker, model.function);
    return model;
  }

  /** Adds a model whose code is a function. @throws MilepostError in the same cases as `add`. */
  addFunction(id: string, props: ModelFunctionProps, connections: ModelConnections): ModelHost {
    this.#checkNew(id);
    requireSameRegion(this, `model "${id}": \`function\``, 'function', props?.function);
    checkModelProps(id, props);
    const timeout = modelHostTimeout(id, props);
    checkModelTime(`model "${id}"`, timeout, this.#retries);
    const scopeProps = { ...connections.scopeProps, registrar: connections.registrar.function };
    const model = new ModelHost(this, id, { ...props, ...scopeProps, timeout });
    warnOfMisspelledOptions(model, `model "${id}"`, props, modelFunctionOptions);
    connect(id, model, connections);
    // Publish no versions: every version would call the function as it is currently deployed. A rollback would
    // therefore have no effect.
    for (const invoker of connections.invokers) grantInvoke(invoker, model.function);
    return model;
  }

  /**
   * Adds the model of the canary's events. The alarm `Canary` reports the model's failures, so the model has no alarms
   * of its own.
   */
  addCanary({ scopeProps, registrar, invokers }: ModelConnections): void {
    const model = new CanaryModel(this, canaryModel.id, {
      ...scopeProps,
      // The canary's model has no sensitive fields.
      personalData: undefined,
      registrar: registrar.function,
    });
    permitRegistration(model, registrar);
    for (const invoker of invokers) grantInvoke(invoker, model.function);
  }

  #checkNew(id: string): void {
    if (typeof id !== 'string' || !modelIdPattern.test(id))
      throw new MilepostError(
        'bad-model',
        `model id ${shown(id)} must have 1 to 64 characters from a-z, 0-9, and -`,
      );
    if (id === canaryModel.id)
      throw new MilepostError(
        'bad-model',
        `model id "${id}" is reserved for the model of the canary, which the option \`canary\` adds; choose another id`,
      );
    if (this.has(id))
      throw new MilepostError(
        'bad-model',
        `model "${id}" has already been added; add each model only once`,
      );
  }
}

/** Monitors and registers a model. */
function connect(
  id: string,
  model: Model | ModelHost,
  { monitoring, registrar }: ModelConnections,
): void {
  monitoring.alarms.addModel(id, model.function);
  monitoring.dashboard?.addFunction(id, model.function);
  permitRegistration(model, registrar);
}

function permitRegistration(model: Model | ModelHost | CanaryModel, registrar: Registrar): void {
  grantInvoke(registrar, model.function);
  // The registrar must be permitted to invoke the model before it registers the model.
  model.registration.node.addDependency(registrar.role);
}

import { MilepostError } from '../../src/core/errors.ts';
import { checkBoolean } from './check-boolean.ts';
import { checkEnvironmentSize } from './check-environment-size.ts';
import { memorySizes } from './memory-sizes.ts';
import { checkInteger } from './require-integer.ts';
import { requireStrings } from './require-strings.ts';
import { shown } from './shown.ts';

/** The settings of a model's function that are passed on to Lambda. */
export interface ModelFunctionSettings {
  readonly memorySize?: number;
  readonly reservedConcurrency?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly sourceMaps?: boolean;
  readonly handler?: string;
  readonly revision?: string;
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Environment.html */
const variableName = /^[A-Za-z]\w+$/;

/**
 * Checks the settings of a model's function.
 *
 * @throws MilepostError `bad-request` for a value that Lambda would reject, for a function that would never run, or for
 *   a name that is reserved for Milepost's own variables.
 */
export function checkModelProps(id: string, props: ModelFunctionSettings): void {
  const { memorySize, reservedConcurrency, environment = {}, sourceMaps } = props;
  const { handler, revision } = props;
  const reject = (reason: string) => {
    throw new MilepostError('bad-request', `model "${id}": ${reason}`);
  };
  checkInteger(`model "${id}": \`memorySize\``, memorySize, ...memorySizes);
  checkInteger(`model "${id}": \`reservedConcurrency\``, reservedConcurrency, 1);
  if (handler !== undefined && (typeof handler !== 'string' || handler === ''))
    reject(`\`handler\` must be the name of an export, such as 'handler'; got ${shown(handler)}`);
  if (revision !== undefined && typeof revision !== 'string')
    reject(`\`revision\` must be a text, such as '2'; got ${shown(revision)}`);
  checkBoolean(`model "${id}": \`sourceMaps\``, sourceMaps);
  requireStrings(`model "${id}": \`environment\``, environment, "{ CURRENCY: 'EUR' }");
  const names = Object.keys(environment);
  const invalid = names.find((name) => !variableName.test(name));
  if (invalid !== undefined)
    reject(
      `names in \`environment\` must start with a letter, followed by at least one letter, digit, or _; got "${invalid}"`,
    );
  const reserved = names.find((name) => name.startsWith('MILEPOST_'));
  if (reserved !== undefined)
    reject(
      `names in \`environment\` must not start with MILEPOST_, which is reserved for Milepost's own variables; got "${reserved}"`,
    );
  checkEnvironmentSize(`model "${id}": names and values in \`environment\``, environment);
}

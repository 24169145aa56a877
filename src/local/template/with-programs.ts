import { programFor } from '../../aws-local/lambda/runtime-api/programs.ts';
import type { ServiceDefinition } from './service-definition.ts';

/**
 * Sets the program that runs a function on this machine, for every function that does not run in Node.js. Omits the
 * functions that no installed program can run. Also omits their models, and adds the reasons to `unsupported`.
 *
 * @param path the value of PATH.
 */
export function withPrograms(
  service: ServiceDefinition,
  path: string | undefined,
): ServiceDefinition {
  const programs = service.functions.map((definition) => ({
    definition,
    program: programFor(definition.runtime, definition.codePath, path),
  }));
  const reasons = new Map(
    programs.flatMap(({ definition: { arn }, program }) =>
      program.kind === 'none' ? [[arn, program.reason]] : [],
    ),
  );
  /**
   * Returns the reason why no program can run a function or the function that it calls. Returns undefined if the
   * function can run.
   */
  const whyNot = (arn: unknown) => {
    const asked = service.functions.find((each) => each.arn === arn)?.environment.MILEPOST_FUNCTION;
    return reasons.get(String(arn)) ?? (asked === undefined ? undefined : reasons.get(asked));
  };
  const left = service.customResources.map((resource) => ({
    resource,
    reason: whyNot(resource.properties.FunctionArn),
  }));
  return {
    ...service,
    functions: programs.flatMap(({ definition, program }) => {
      if (program.kind === 'none') return [];
      return program.kind === 'node' ? definition : { ...definition, bootstrap: program.bootstrap };
    }),
    customResources: left.flatMap(({ resource, reason }) => (reason === undefined ? resource : [])),
    unsupported: [
      ...service.unsupported,
      ...left.flatMap(({ resource, reason }) =>
        reason === undefined
          ? []
          : `The model ${String(resource.properties.ModelId)} cannot run on this machine: ${reason}`,
      ),
    ],
  };
}

import { programFor } from '../../aws-local/lambda/runtime-api/programs.ts';
import type { ServiceDefinition } from './service-definition.ts';

/**
 * The service with the programs that run its functions here. A model whose function none runs is left out,
 * and `unsupported` says why; the others are as they were.
 *
 * @param path the variable PATH.
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
  /** Why a function cannot do its work: nothing runs it, or what it asks. */
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
          : `The model ${String(resource.properties.ModelId)} does not run here: ${reason}`,
      ),
    ],
  };
}

import { Hono } from 'hono';
import * as v from 'valibot';
import { modelIdPattern } from '../../core/event/event.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { functionVersionPattern, type ModelVersion } from '../../core/model/model-version.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { requestSchema } from '../http/json-schema.ts';
import { modelPath } from '../http/path-parameters.ts';
import { Problem } from '../http/problem.ts';
import { modelVersion, versionList } from './model-schemas.ts';
import { versionView } from './model-views.ts';
import { unknownModelProblem } from './read-model.ts';
import { type RollBackDependencies, rollBack, versionsToActivate } from './roll-back.ts';

/** Lists the versions of a model's code and rolls back to a version. */
export function modelVersionRoutes(dependencies: RollBackDependencies): Hono {
  const { models, versions } = dependencies;
  return new Hono()
    .get('/:model/versions', describeOperation(operations.list), async (context) => {
      const id = await checkModelId(models, context.req.param('model'));
      const [entry, kept] = await Promise.all([models.get(id), versions.versions(id)]);
      if (!entry) throw await unknownModelProblem(models, id);
      return context.json({
        versions: versionsToActivate(entry, kept).map((version) =>
          versionView(version, entry.functionVersion),
        ),
      });
    })
    .post('/:model/rollback', describeOperation(operations.rollBack), async (context) => {
      const id = await checkModelId(models, context.req.param('model'));
      const functionVersion = readRequest(await context.req.text());
      const outcome = await rollBack(dependencies, id, functionVersion);
      if (outcome.kind === 'no-model') throw await unknownModelProblem(models, id);
      const version = versionOrProblem(outcome, id, functionVersion);
      return context.json(versionView(version, functionVersion));
    });
}

async function checkModelId(models: Pick<ModelRegistry, 'list'>, id: string): Promise<string> {
  if (modelIdPattern.test(id)) return id;
  throw await unknownModelProblem(models, id);
}

const requestMessage =
  'the body must be {"functionVersion": "3"}, with a number from the list of versions';
const request = v.pipe(
  v.strictObject({ functionVersion: v.pipe(v.string(), v.regex(functionVersionPattern)) }),
  v.title('RollbackRequest'),
);

function readRequest(body: string): string {
  try {
    return v.parse(request, parseJson(body)).functionVersion;
  } catch {
    throw new Problem(400, requestMessage);
  }
}

function versionOrProblem(
  outcome: Exclude<Awaited<ReturnType<typeof rollBack>>, { kind: 'no-model' }>,
  id: string,
  functionVersion: string,
): ModelVersion {
  const which = `function version ${functionVersion} of ${id}`;
  switch (outcome.kind) {
    case 'current':
      return outcome.version;
    case 'no-version':
      throw new Problem(404, `the registry does not contain ${which}`);
    case 'rejected':
      throw new Problem(409, `${which} cannot run, so nothing was changed: ${outcome.reason}`);
    case 'unavailable':
      throw new Problem(503, `${which} is unavailable: ${outcome.reason}`);
    case 'conflict':
      throw new Problem(
        409,
        `the model ${id} was deployed or rolled back in the meantime; check its versions and retry`,
      );
  }
}

const tag = 'models';
const operations = {
  list: {
    id: 'listModelVersions',
    summary: "List the versions of a model's code",
    description: 'Returns the published versions that a rollback can activate, newest first.',
    tag,
    path: modelPath,
    revalidated: true,
    answers: { 200: versionList },
    problems: [404],
  },
  rollBack: {
    id: 'rollBackModel',
    summary: "Roll back a model's code",
    description:
      "Activates a version of the model's code. The version applies the model's events until the next rollback, or until a deployment changes the model's function.",
    tag,
    path: modelPath,
    answers: { 200: modelVersion },
    problems: [404, 409],
    body: {
      text: 'the version number of the Lambda function',
      schemas: () => ({ 'application/json': requestSchema(request) }),
      example: { functionVersion: '7' },
    },
  },
} satisfies Record<string, Operation>;

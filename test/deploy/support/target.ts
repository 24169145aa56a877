const targets = ['ministack', 'localstack', 'aws'] as const;

/** The target of the deployment: an emulator that the test starts, a running emulator, or AWS. */
export type Target = (typeof targets)[number];

/**
 * Selects the target from environment variables and checks its requirements.
 *
 * @throws Error with a one-line message if the variables are invalid.
 */
export function targetOf(variables: NodeJS.ProcessEnv): Target {
  const named = variables.MILEPOST_DEPLOY_TARGET || 'ministack';
  const target = targets.find((each) => each === named);
  if (!target)
    throw new Error(`MILEPOST_DEPLOY_TARGET must be one of ${targets.join(', ')}; got "${named}"`);
  const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region } = variables;
  if (target === 'localstack' && !isBare(endpoint))
    throw new Error(
      'MILEPOST_DEPLOY_TARGET=localstack requires AWS_ENDPOINT_URL, such as http://127.0.0.1:4566',
    );
  if (target === 'aws' && endpoint)
    throw new Error(
      `MILEPOST_DEPLOY_TARGET=aws requires that AWS_ENDPOINT_URL is not set; got ${endpoint}`,
    );
  if (target === 'aws' && !region)
    throw new Error('MILEPOST_DEPLOY_TARGET=aws requires AWS_REGION, such as eu-central-1');
  return target;
}

/** Reports whether a string is the URL of a server without a path. */
function isBare(endpoint: string | undefined): boolean {
  const url = endpoint === undefined ? null : URL.parse(endpoint);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
}

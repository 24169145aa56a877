import type { ServiceOptions } from '../../src/aws/client/transport/service-client.ts';
import { optionalSetting, setting } from './settings.ts';

/** What the names of hosts end in, where a region's name begins so; else `amazonaws.com`. */
const suffixes = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
] as const;

/**
 * Where a service of AWS is, and who calls it, as Lambda's environment says.
 *
 * @param host the first part of the service's host name.
 * @param name as in `AWS_ENDPOINT_URL_<NAME>`, by which another place is set.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function serviceOptions(host: string, name: string): ServiceOptions {
  const region = setting('AWS_REGION');
  const fips = optionalSetting('AWS_USE_FIPS_ENDPOINT') === 'true' ? '-fips' : '';
  const suffix = suffixes.find(([start]) => region.startsWith(start))?.[1] ?? 'amazonaws.com';
  return {
    region,
    endpoint:
      optionalSetting(`AWS_ENDPOINT_URL_${name}`) ??
      optionalSetting('AWS_ENDPOINT_URL') ??
      `https://${host}${fips}.${region}.${suffix}`,
    credentials: {
      accessKeyId: setting('AWS_ACCESS_KEY_ID'),
      secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
      sessionToken: optionalSetting('AWS_SESSION_TOKEN'),
    },
  };
}

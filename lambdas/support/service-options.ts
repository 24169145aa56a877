import type { ServiceOptions } from '../../src/aws/client/transport/service-client.ts';
import { optionalSetting, setting } from './settings.ts';

/** The host name suffixes of AWS partitions, by region prefix. The default is `amazonaws.com`. */
const suffixes = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
] as const;

/**
 * Reads the region, the endpoint, and the credentials of an AWS service from Lambda's environment variables.
 *
 * @param host the first part of the service's host name.
 * @param name the suffix of `AWS_ENDPOINT_URL_<NAME>`, which overrides the endpoint.
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

import type { Template } from '../../../src/local/template/template.ts';

/** A request as the API's access log describes it. */
export interface LoggedRequest {
  readonly route: string;
  readonly ip: string;
  readonly status: number;
}

/** Formats a line of the API's access log, in the format of the template. */
export function accessLogLine(
  { Resources }: Template,
  { route, ip, status }: LoggedRequest,
): string {
  const stage = Object.values(Resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage');
  const { Format } = stage!.Properties!.AccessLogSettings as { readonly Format: string };
  const values: Readonly<Record<string, string>> = {
    'identity.sourceIp': ip,
    routeKey: route,
    status: String(status),
  };
  // API Gateway writes a dash for a value that it does not have.
  return Format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-');
}

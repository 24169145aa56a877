/** A CloudFormation template, limited to the fields that the local service reads. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The account and region in which the template's resources appear to be deployed. */
export interface StackEnvironment {
  readonly stackName: string;
  readonly region: string;
  readonly accountId: string;
}

/** The error thrown when the template lacks a resource or uses a feature that the local service does not support. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}

/** Returns a placeholder for the number that a Lambda function version receives when it is published. */
export const versionNumberToken = (logicalId: string) => `${logicalId}.Version`;

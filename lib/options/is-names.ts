import { Token } from 'aws-cdk-lib';

/** Returns true for a list of one or more names, which can be unknown until the deployment. */
export const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => Token.isUnresolved(each) || (typeof each === 'string' && each !== ''));

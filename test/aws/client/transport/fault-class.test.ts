import { expect, it } from 'vitest';
import { classifyFault } from '../../../../src/aws/client/transport/fault-class.ts';
import {
  ServiceError,
  serviceErrorOf,
} from '../../../../src/aws/client/transport/service-error.ts';
import { isPermanent, MilepostError } from '../../../../src/core/errors.ts';

it.each([
  ['ValidationException', 400],
  ['SerializationException', 400],
  ['ValidationError', 400],
  ['InvalidArgumentException', 400],
  ['InvalidCiphertextException', 400],
  ['MalformedDetail', 400],
  ['RequestTooLargeException', 413],
  ['AnyName', 413],
])('the error %s with status %i is permanent', (name, status) => {
  expect(classifyFault(name, status)).toBe('permanent');
});

it.each([
  ['ThrottlingException', 400],
  ['ProvisionedThroughputExceededException', 400],
  ['ThrottlingError', 400],
  ['LimitExceededException', 400],
  ['KMSThrottlingException', 400],
  ['AnyName', 429],
])('the error %s with status %i means that the service is busy', (name, status) => {
  expect(classifyFault(name, status)).toBe('busy');
});

it.each([
  ['InternalServerError', 500],
  ['ServiceUnavailable', 503],
  ['AccessDeniedException', 400],
  ['ResourceNotFoundException', 400],
  ['DisabledException', 400],
  ['KMSInvalidStateException', 400],
  ['ExpiredTokenException', 400],
  ['NobodyKnows', 400],
])('the error %s with status %i is temporary', (name, status) => {
  expect(classifyFault(name, status)).toBe('aws-service');
});

it('isPermanent distinguishes permanent errors from temporary errors', () => {
  const answer = {
    status: 400,
    headers: {},
    body: '{"__type":"com.amazon.coral.validate#ValidationException"}',
  };
  expect(isPermanent(serviceErrorOf(answer))).toBe(true);
  expect(isPermanent(new MilepostError('too-large', 'too many bytes'))).toBe(true);
  expect(isPermanent(new TypeError('the item has no attribute state'))).toBe(true);
  expect(isPermanent(new ServiceError('ThrottlingException', 'slower', 400))).toBe(false);
  expect(isPermanent(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))).toBe(false);
  expect(isPermanent(undefined)).toBe(false);
});

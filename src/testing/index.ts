/**
 * Functions for testing models without AWS.
 *
 * @module milepost/testing
 */
export {
  fired,
  type Given,
  type GivenModel,
  given,
  type Result,
  type TestEvent,
  type When,
} from './given.ts';

export { fired, type Given, given, type Result, type TestEvent, type When } from './given.ts';

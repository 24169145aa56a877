import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Use processes, because the CDK's bundling fails in worker threads. Test files share the modules that they import,
// because no test leaves state in a module. Node.js loads the modules itself, as it does when the service runs, because
// with Vite, transforming the modules takes a fifth of the time of `npm test`.
const shared = {
  pool: 'forks' as const,
  setupFiles: ['./test/support/seed.ts', './test/support/clean-up.ts'],
  isolate: false,
  experimental: { viteModuleRunner: false },
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

/**
 * Tests that start their own services in order to kill, restart or configure them, and tests of models that are changed
 * while the service runs: `npm run test:services`.
 */
const onOwnService = [
  'test/e2e/own-service/**/*.test.ts',
  'test/local/user-models/reload-models.test.ts',
  'test/local/user-models/watch-models.test.ts',
];
/** Tests that share one service. */
const onSharedService = ['test/e2e/*.test.ts'];
/**
 * Tests with very large inputs or thousands of random inputs, one of them with a running service: `npm run test:fuzz`.
 */
const fuzzing = [
  'test/fuzz/**/*.test.ts',
  'test/archiver/archive-commits.test.ts',
  'test/aws/dynamodb/item-limits.test.ts',
  'test/core/process/event-order.test.ts',
  'test/model-runtime/answer-size.test.ts',
  'test/model-runtime/resent-events.test.ts',
  'test/models/tickets-limits.test.ts',
  'test/parking/concurrent-changes.test.ts',
  'test/parking/dispatcher-crash.test.ts',
  'test/parking/long-queues.test.ts',
  'test/soak/oracle.test.ts',
];
/** Tests of the local AWS endpoints: `npm run test:emulators`. */
const ofEmulators = ['test/aws-local/**/*.test.ts'];
/** Tests that compare the DynamoDB endpoint with AWS's DynamoDB Local, a Java program: `npm run test:compare`. */
const comparing = ['test/aws-local/compare/**/*.test.ts'];
/** Tests that need a browser: `npm run test:browser`. */
const inBrowser = ['test/web/**/*browser.test.ts'];
/** Tests that check every code block on a page and run its commands: `npm run test:docs`. */
const ofDocs = ['test/docs/**/*.test.ts'];
/** Tests of models in Python: `npm run test:python`. */
const inPython = ['test/python/**/*.test.ts'];
/** Tests that compare the API with its description, with a fuzzer in Python: `npm run test:api`. */
const ofDescription = ['test/openapi/**/*.test.ts'];
/** Tests that deploy to an emulated or a real account: `npm run test:deploy`. */
const intoAccount = ['test/deploy/deploy.test.ts', 'test/deploy/runbooks.test.ts'];
/** Tests with the AWS SDKs for other languages and the AWS CLI: `npm run test:clients`. */
const ofClients = ['test/clients/**/*.test.ts'];
/**
 * Tests of the simulation itself, with injected faults that its auditor must detect, of the alarms during simulated
 * faults, and of the requests and units that simulated events consume: `npm run test:simulation`.
 */
const ofSimulator = [
  'test/bench/budget.test.ts',
  'test/cost/canary-cost.test.ts',
  'test/lib/monitoring/alarm-scenarios.test.ts',
  'test/simulation/faults.test.ts',
  'test/simulation/same-run.test.ts',
];
/** Tests that cause the fault of each runbook and run its commands: `npm run test:runbooks`. */
const ofRunbooks = ['test/runbooks/**/*.test.ts'];
/** Tests that compare calendars with an oracle in a million cases: `npm run test:calendar`. */
const ofCalendars = ['test/calendar/**/*.test.ts'];
/**
 * Tests that install the package in an empty folder and use it, that run commands in new processes and complete them in
 * shells, that bundle models for different versions of Node.js, and that synthesize the template in new processes: `npm
 * run test:package`.
 */
const ofPackage = [
  'test/package/**/*.test.ts',
  'test/cli/process.test.ts',
  'test/cli/commands/shell/completion-script.test.ts',
  'test/lib/older-node.test.ts',
  'test/lib/model-functions/bundling.test.ts',
  'test/local/template/synthesize.test.ts',
];

export default defineConfig({
  test: {
    // One more than the number of cores, because many test files mostly wait for endpoints.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            onSharedService,
            onOwnService,
            ofEmulators,
            fuzzing,
            inBrowser,
            ofDocs,
            inPython,
            ofDescription,
            intoAccount,
            ofCalendars,
            ofClients,
            ofPackage,
            ofRunbooks,
            ofSimulator,
          ].flat(),
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: onSharedService,
          globalSetup: ['test/support/service/prepare.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          // Run one browser at a time, because each test file opens several windows.
          fileParallelism: false,
          include: inBrowser,
          globalSetup: ['test/support/service/prepare.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'services',
          include: onOwnService,
          globalSetup: ['test/support/service/prepare.ts'],
        },
      },
      { test: { ...shared, name: 'emulators', include: ofEmulators, exclude: comparing } },
      // Allow time for Maven to download DynamoDB Local on the first run.
      { test: { ...shared, name: 'compare', hookTimeout: 300_000, include: comparing } },
      {
        test: {
          ...shared,
          name: 'fuzz',
          include: fuzzing,
          globalSetup: ['test/support/service/prepare.ts'],
        },
      },
      { test: { ...shared, name: 'docs', include: ofDocs } },
      { test: { ...shared, name: 'python', include: inPython } },
      { test: { ...shared, name: 'api', include: ofDescription } },
      {
        test: {
          ...shared,
          name: 'clients',
          // Allow time for build tools to download dependencies on the first run.
          testTimeout: 300_000,
          include: ofClients,
          globalSetup: [
            'test/support/service/prepare.ts',
            'test/clients/support/python-programs.ts',
          ],
        },
      },
      { test: { ...shared, name: 'simulation', include: ofSimulator } },
      { test: { ...shared, name: 'calendar', testTimeout: 300_000, include: ofCalendars } },
      { test: { ...shared, name: 'runbooks', include: ofRunbooks } },
      {
        test: {
          ...shared,
          name: 'deploy',
          // Run the files in sequence, because they install the emulator in the same folder.
          fileParallelism: false,
          include: intoAccount,
        },
      },
      { test: { ...shared, name: 'package', testTimeout: 300_000, include: ofPackage } },
    ],
  },
});

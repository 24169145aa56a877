import { pathToFileURL } from 'node:url';

/*
 * Imports a bundle as the Lambda runtime does and prints the elapsed time and the CPU time in milliseconds. Usage:
 * `node import-time.ts FILE`
 */
const url = pathToFileURL(process.argv[2]!).href;
const cpu = process.cpuUsage();
const began = performance.now();
await import(url);
const wall = performance.now() - began;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1_000 }));

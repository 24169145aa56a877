import { afterAll } from 'vitest';
import { runAfterFile } from './after-file.ts';

afterAll(runAfterFile);

// Where the bench reads and writes.
import { fileURLToPath } from 'node:url';

export const benchFolder: string = fileURLToPath(new URL('..', import.meta.url));
export const rootFolder: string = fileURLToPath(new URL('../..', import.meta.url));
export const buildFolder: string = fileURLToPath(new URL('../.build/', import.meta.url));
export const resultsFolder: string = fileURLToPath(new URL('../results/', import.meta.url));

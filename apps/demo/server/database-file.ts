// Where the demo keeps its data. Git ignores the folder.
import { resolve } from 'node:path';

export const DATABASE_FILE: string = resolve(import.meta.dirname, '../.data/demo.db');

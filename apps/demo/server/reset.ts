// `npm run reset -w demo`: removes the database file and fills a new one.
import { rmSync } from 'node:fs';
import { DATABASE_FILE } from './database-file.ts';
import { JOURNALS, openDatabase } from './database.ts';
import { seed } from './seed.ts';

// the journal files of SQLite belong to the old data and must be removed with it
for (const suffix of ['', ...JOURNALS]) rmSync(DATABASE_FILE + suffix, { force: true });
const db = openDatabase(DATABASE_FILE);
seed(db);
console.log(
  `Fresh data: ${db.get('select count(*) n from issue')?.['n']} issues. Restart the demo if it is running.`,
);
db.close();

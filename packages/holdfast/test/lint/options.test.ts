// The lint rules for options and paths, run by ESLint itself.
import plugin from 'holdfast/eslint-plugin';
import { inJavaScript, inTypeScript } from './rule-tester.ts';

const imports = `import { Collection, createResource, resource, RestEndpoint, schema } from 'holdfast';`;
const nothingReads = (name: string, meant: string): string =>
  `Nothing reads the option '${name}'. Did you mean '${meant}'?`;

function misspelt(before: string, name: string, meant: string, after: string) {
  const [head, tail] = [`${imports} ${before}`, after];
  const suggestions = [{ desc: `Write '${meant}'.`, output: `${head}${meant}${tail}` }];
  return {
    code: `${head}${name}${tail}`,
    errors: [{ message: nothingReads(name, meant), suggestions }],
  };
}

inJavaScript.run('known-options', plugin.rules['known-options'], {
  valid: [
    `${imports} createResource({ path: '/a/:id', schema: A, optimistic: true, tenant: 'x', [name]: 1, ...rest });`,
    // another library's functions of these names
    `import { createResource } from 'elsewhere'; createResource({ optimstic: true });`,
    `z.object({}).extend({ pth: z.string() }); expect.extend({ mehtod() {} });`,
    `${imports} const base = z.object({}); base.extend({ mehtod: 1 });`,
    `${imports} new RestEndpoint({ path: '/a', tenant: 'x' }).extend({ method: 'PUT' });`,
  ],
  invalid: [
    misspelt(`createResource({ path: '/a/:id', schema: A, `, 'optimstic', 'optimistic', `: true });`),
    misspelt(`resource({ path: '/a/:id', schema: A, `, 'pollFrequencey', 'pollFrequency', `: 5 });`),
    misspelt(`new RestEndpoint({ path: '/a', `, 'mehtod', 'method', `: 'PUT' });`),
    misspelt(`const get = new RestEndpoint({ path: '/a' }); get.extend({ `, 'schme', 'schema', `: A });`),
    misspelt(`TodoResource.getList.extend({ `, 'serachParams', 'searchParams', `: {} });`),
    misspelt(`TodoResource.extend({ getList: { `, 'boddy', 'body', `: {} } });`),
    misspelt(`TodoResource.extend('vote', { `, 'pth', 'path', `: '/vote' });`),
    misspelt(`createResource({ path: '/a/:id', schema: A }).extend('b', { `, 'Schema', 'schema', `: B });`),
    misspelt(`new Collection([A], { `, 'argskey', 'argsKey', `: () => ({}) });`),
    misspelt(`new schema.Collection([A], { `, 'nestkey', 'nestKey', `: () => ({}) });`),
    {
      code: `${imports} TodoResource.extend({ getLists: {} });`,
      errors: [
        {
          message: `A resource has no member 'getLists' to change. Did you mean 'getList'?`,
          suggestions: [
            { desc: `Write 'getList'.`, output: `${imports} TodoResource.extend({ getList: {} });` },
          ],
        },
      ],
    },
  ],
});

inTypeScript.run('known-options in TypeScript', plugin.rules['known-options'], {
  valid: [`${imports} createResource({ path: '/a/:id', schema: A, body: {} as B } satisfies object);`],
  invalid: [
    misspelt(
      `createResource({ path: '/a/:id', schema: A, `,
      'serchParams',
      'searchParams',
      `: {} as Q } as const);`,
    ),
  ],
});

inJavaScript.run('valid-path', plugin.rules['valid-path'], {
  valid: [
    `${imports} createResource({ path: '/a/:id', schema: A }); new RestEndpoint({ path: '/a' });`,
    `${imports} createResource({ path: 'https://a.test/a/:id', schema: A }); new RestEndpoint({ path: '//cdn.test/a' });`,
    `${imports} createResource({ path: 'a/:id', schema: A, urlPrefix: '/api/' });`,
    `${imports} createResource({ path: 'a/:id', schema: A, Endpoint: Own });`,
    `${imports} createResource({ path: 'a/:id', schema: A, ...shared }); createResource({ path, schema: A });`,
    `${imports} createResource({ path: '/files/*path', schema: A }); createResource({ path: '/a/:"b c"', schema: A });`,
  ],
  invalid: [
    {
      code: `${imports} createResource({ path: 'todos/:id', schema: A });`,
      errors: [
        {
          message: `The path 'todos/:id' is relative to the page that is open. Begin it with a slash, or give a urlPrefix.`,
        },
      ],
    },
    {
      code: `${imports} new RestEndpoint({ path: 'todos' });`,
      errors: [
        {
          message: `The path 'todos' is relative to the page that is open. Begin it with a slash, or give a urlPrefix.`,
        },
      ],
    },
    {
      code: `${imports} createResource({ path: '/todos', schema: A });`,
      errors: [{ message: `The path '/todos' names no row. End it with a parameter: '/todos/:id'.` }],
    },
  ],
});

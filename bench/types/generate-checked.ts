// Writes the two programs of checked data: 200 resources with `EntityOf` and `errors`, and the same with plain fetch, schemas of
// zod that are inferred from and failures told apart by hand.

const SHAPE = (index: number): string => `
  id: z.string(),
  title: z.string(),
  count${index}: z.number(),
  isActive: z.boolean(),
  createdAt: z.coerce.date(),
  note: z.string().optional(),`;

const TYPES = (name: string): string => `
export interface ${name}Search {
  orderBy?: string;
  page?: number;
}
export interface ${name}Body {
  title: string;
}`;

function createCheckedResource(index: number): string {
  const name = `Thing${index}`;
  const owner = index > 0 ? `Thing${index - 1}` : undefined;
  return `
export class ${name} extends EntityOf('${name}', {${SHAPE(index)}${owner ? `\n  owner: ${owner},` : ''}
}) {}${TYPES(name)}
export const ${name}Resource = createResource({
  path: '/groups/:group/things${index}/:id',
  schema: ${name},
  searchParams: {} as ${name}Search,
  body: {} as ${name}Body,
  errors: { 409: ${name}, 422: problems },
});
export function use${name}(group: string, id: string): string {
  const thing = useSuspense(${name}Resource.get, { group, id });
  const list = useSuspense(${name}Resource.getList, { group, orderBy: 'title' });
  return thing.title + thing.createdAt.toISOString() + list.map((member) => member.count${index}).join()${owner ? ' + thing.owner.title' : ''};
}
export async function save${name}(controller: Controller, group: string, id: string): Promise<string> {
  const saved = await attempt(controller, ${name}Resource.update, { group, id }, { title: '' });
  if (saved.ok) return saved.value.title;
  const { failure } = saved;
  if (failure.kind === 422) return failure.body.fields['title'] ?? '';
  return failure.kind === 409 ? failure.body.title : failure.error.message;
}
`;
}

function createPlainCheckedResource(index: number): string {
  const name = `Thing${index}`;
  const owner = index > 0 ? `Thing${index - 1}` : undefined;
  return `
export const ${name}Schema = z.object({${SHAPE(index)}
});
export interface ${name} extends z.infer<typeof ${name}Schema> {${owner ? `\n  owner: ${owner};\n` : ''}}${TYPES(name)}
export async function get${name}(params: { group: string; id: string }): Promise<${name}> {
  const response = await fetch(\`/groups/\${params.group}/things${index}/\${params.id}\`);
  return ${name}Schema.parse(await response.json()) as ${name};
}
export async function get${name}List(params: { group: string } & ${name}Search): Promise<${name}[]> {
  const response = await fetch(\`/groups/\${params.group}/things${index}?\${new URLSearchParams({ orderBy: params.orderBy ?? '' })}\`);
  return z.array(${name}Schema).parse(await response.json()) as ${name}[];
}
export type ${name}Failure =
  | { kind: 409; body: ${name} }
  | { kind: 422; body: z.infer<typeof problems> }
  | { kind: 'http'; error: Error };
export async function update${name}(
  params: { group: string; id: string },
  body: ${name}Body,
): Promise<{ ok: true; value: ${name} } | { ok: false; failure: ${name}Failure }> {
  const response = await fetch(\`/groups/\${params.group}/things${index}/\${params.id}\`, { method: 'PUT', body: JSON.stringify(body) });
  const answer: unknown = await response.json();
  if (response.ok) return { ok: true, value: ${name}Schema.parse(answer) as ${name} };
  if (response.status === 409) return { ok: false, failure: { kind: 409, body: ${name}Schema.parse(answer) as ${name} } };
  if (response.status === 422) return { ok: false, failure: { kind: 422, body: problems.parse(answer) } };
  return { ok: false, failure: { kind: 'http', error: new Error(response.statusText) } };
}
export function use${name}(group: string, id: string): string | undefined {
  const [thing, setThing] = useState<${name}>();
  const [list, setList] = useState<${name}[]>([]);
  useEffect(() => {
    void get${name}({ group, id }).then(setThing);
    void get${name}List({ group, orderBy: 'title' }).then(setList);
  }, [group, id]);
  return thing && thing.title + thing.createdAt.toISOString() + list.map((member) => member.count${index}).join()${owner ? ' + thing.owner.title' : ''};
}
export async function save${name}(group: string, id: string): Promise<string> {
  const saved = await update${name}({ group, id }, { title: '' });
  if (saved.ok) return saved.value.title;
  const { failure } = saved;
  if (failure.kind === 422) return failure.body.fields['title'] ?? '';
  return failure.kind === 409 ? failure.body.title : failure.error.message;
}
`;
}

const PROBLEMS = `const problems = z.object({ fields: z.record(z.string(), z.string()) });\n`;

/** The program with the library. */
export function createCheckedProgram(count: number): string {
  const head = `import { createResource, type Controller } from 'holdfast';
import { useSuspense } from 'holdfast/react';
import { attempt, EntityOf } from 'holdfast/validate';
import { z } from 'zod';
export const used = [createResource, useSuspense, attempt, EntityOf];
${PROBLEMS}`;
  return head + Array.from({ length: count }, (_, index) => createCheckedResource(index)).join('');
}

/** The same by hand. */
export function createPlainCheckedProgram(count: number): string {
  const head = `import { useEffect, useState } from 'react';
import { z } from 'zod';
export const used = [useEffect, useState];
${PROBLEMS}`;
  return head + Array.from({ length: count }, (_, index) => createPlainCheckedResource(index)).join('');
}

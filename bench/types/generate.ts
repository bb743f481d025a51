// Writes the two programs whose type-checking is compared: 200 resources declared with the library, each with
// an extension and hooks, and the same requests with plain fetch and types written by hand. What requests take has a
// name in both: editors write unnamed types out field by field, whoever carries them.

const fieldsOf = (index: number) => [
  { name: 'id', type: 'string', initial: "''" },
  { name: 'title', type: 'string', initial: "''" },
  { name: `count${index}`, type: 'number', initial: '0' },
  { name: 'isActive', type: 'boolean', initial: 'false' },
  { name: 'createdAt', type: 'Date', initial: 'new Date(0)' },
];

function createLibraryResource(index: number): string {
  const name = `Thing${index}`;
  const owner = index > 0 ? `Thing${index - 1}` : undefined;
  return `
export class ${name} extends Entity {
${fieldsOf(index)
  .map((field) => `  ${field.name}: ${field.type} = ${field.initial};`)
  .join('\n')}
${owner ? `  owner: ${owner} = new ${owner}();\n` : ''}  static override key = '${name}';
  static override schema = { createdAt: Date${owner ? `, owner: ${owner}` : ''} };
}
export interface ${name}Search {
  orderBy?: string;
  page?: number;
}
export interface ${name}Body {
  title: string;
}
export const ${name}Resource = createResource({
  path: '/groups/:group/things${index}/:id',
  schema: ${name},
  searchParams: {} as ${name}Search,
  body: {} as ${name}Body,
}).extend((Base) => ({
  archive: Base.update.extend({ path: '/groups/:group/things${index}/:id/archive' }),
}));
export function use${name}(group: string, id: string): string {
  const thing = useSuspense(${name}Resource.get, { group, id });
  const list = useSuspense(${name}Resource.getList, { group, orderBy: 'title' });
  const controller = useController();
  void controller.fetch(${name}Resource.archive, { group, id }, { title: thing.title });
  return thing.title + thing.createdAt.toISOString() + list.map((member) => member.count${index}).join()${owner ? ' + thing.owner.title' : ''};
}
`;
}

function createPlainResource(index: number): string {
  const name = `Thing${index}`;
  const owner = index > 0 ? `Thing${index - 1}` : undefined;
  return `
export interface ${name} {
${fieldsOf(index)
  .map((field) => `  ${field.name}: ${field.type};`)
  .join('\n')}
${owner ? `  owner: ${owner};\n` : ''}}
export interface ${name}Search {
  orderBy?: string;
  page?: number;
}
export interface ${name}Body {
  title: string;
}
export async function get${name}(params: { group: string; id: string }): Promise<${name}> {
  const response = await fetch(\`/groups/\${params.group}/things${index}/\${params.id}\`);
  return (await response.json()) as ${name};
}
export async function get${name}List(params: { group: string } & ${name}Search): Promise<${name}[]> {
  const response = await fetch(\`/groups/\${params.group}/things${index}?\${new URLSearchParams({ orderBy: params.orderBy ?? '' })}\`);
  return (await response.json()) as ${name}[];
}
export async function create${name}(params: { group: string }, body: ${name}Body): Promise<${name}> {
  const response = await fetch(\`/groups/\${params.group}/things${index}\`, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as ${name};
}
export async function update${name}(params: { group: string; id: string }, body: ${name}Body): Promise<${name}> {
  const response = await fetch(\`/groups/\${params.group}/things${index}/\${params.id}\`, { method: 'PUT', body: JSON.stringify(body) });
  return (await response.json()) as ${name};
}
export async function patch${name}(params: { group: string; id: string }, body: Partial<${name}Body>): Promise<${name}> {
  const response = await fetch(\`/groups/\${params.group}/things${index}/\${params.id}\`, { method: 'PATCH', body: JSON.stringify(body) });
  return (await response.json()) as ${name};
}
export async function remove${name}(params: { group: string; id: string }): Promise<void> {
  await fetch(\`/groups/\${params.group}/things${index}/\${params.id}\`, { method: 'DELETE' });
}
export async function archive${name}(params: { group: string; id: string }, body: ${name}Body): Promise<${name}> {
  const response = await fetch(\`/groups/\${params.group}/things${index}/\${params.id}/archive\`, { method: 'PUT', body: JSON.stringify(body) });
  return (await response.json()) as ${name};
}
export function use${name}(group: string, id: string): string | undefined {
  const [thing, setThing] = useState<${name}>();
  const [list, setList] = useState<${name}[]>([]);
  useEffect(() => {
    void get${name}({ group, id }).then(setThing);
    void get${name}List({ group, orderBy: 'title' }).then(setList);
    if (thing) void archive${name}({ group, id }, { title: thing.title });
  }, [group, id, thing]);
  return thing && thing.title + thing.createdAt.toISOString() + list.map((member) => member.count${index}).join()${owner ? ' + thing.owner.title' : ''};
}
`;
}

/** The program with the library. `count` 0 gives the imports alone. */
export function createLibraryProgram(count: number): string {
  const head = `import { createResource, Entity } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
export const used = [createResource, Entity, useController, useSuspense];
`;
  return head + Array.from({ length: count }, (_, index) => createLibraryResource(index)).join('');
}

/** The same requests by hand. */
export function createPlainProgram(count: number): string {
  const head = `import { useEffect, useState } from 'react';\nexport const used = [useEffect, useState];\n`;
  return head + Array.from({ length: count }, (_, index) => createPlainResource(index)).join('');
}

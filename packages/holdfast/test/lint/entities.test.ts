// The lint rules for entity classes, run by ESLint itself.
import plugin from 'holdfast/eslint-plugin';
import { inJavaScript, inTypeScript } from './rule-tester.ts';

const imports = `import { Entity, EntityMixin } from 'holdfast';`;

const noKey = (name: string) => ({
  message: `${name} has no static key. Write \`static key = '${name}'\`: minifiers change the name of the class.`,
});
inTypeScript.run('entity-key', plugin.rules['entity-key'], {
  valid: [
    `${imports} class Todo extends Entity { static override key = 'Todo'; id = ''; }`,
    `${imports} class Todo extends Entity { static get key() { return 'Todo'; } }`,
    // an abstract class is no row
    `${imports} abstract class Base extends Entity { id = ''; } class Todo extends Base { static override key = 'Todo'; }`,
    // a key of an abstract class counts, whether or not a class above it has rows
    `${imports} abstract class Base extends Entity { static override key = 'Todo'; } class Todo extends Base { id = ''; }`,
    `${imports} class Row extends Entity { static override key = 'Row'; } abstract class Base extends Row { static override key = 'Todo'; } class Todo extends Base {}`,
    `${imports} class Page extends EntityMixin(Data, { key: 'Page' }) {}`,
    `class Todo extends Model { id = ''; } class Plain {}`,
    `import { Entity } from 'elsewhere'; class Todo extends Entity {}`,
    `import * as holdfast from 'holdfast'; class Todo extends holdfast.Collection {}`,
  ],
  invalid: [
    { code: `${imports} class Todo extends Entity { id = ''; }`, errors: [noKey('Todo')] },
    {
      code: `${imports} export const a = class Todo extends Entity { key = 'Todo'; };`,
      errors: [noKey('Todo')],
    },
    { code: `${imports} class Page extends EntityMixin(Data, { pk: 'slug' }) {}`, errors: [noKey('Page')] },
    // the key of another type
    {
      code: `${imports} class Base extends Entity { static key = 'Base'; } class Todo extends Base {}`,
      errors: [noKey('Todo')],
    },
  ],
});

const noPk = (name: string) => ({
  message: `${name} has no primary key. Give it the field \`id\`, or a method \`pk()\` that returns one.`,
});
inJavaScript.run('entity-pk', plugin.rules['entity-pk'], {
  valid: [
    `${imports} class Todo extends Entity { id = ''; }`,
    `${imports} class Rate extends Entity { currency = ''; pk() { return this.currency; } }`,
    `${imports} class Rate extends Entity { static pk(value) { return value.currency; } }`,
    `${imports} class Base extends Entity { id = ''; } class Todo extends Base { title = ''; }`,
    `${imports} class Page extends EntityMixin(Data, { pk: 'slug' }) {}`,
    `${imports} class Page extends EntityMixin(Data) {}`,
    `import { Base } from './base.js'; class Todo extends Base {}`,
  ],
  invalid: [
    { code: `${imports} class Rate extends Entity { currency = ''; }`, errors: [noPk('Rate')] },
    { code: `${imports} class Rate extends Entity { static id = ''; }`, errors: [noPk('Rate')] },
    {
      code: `${imports} class Page extends EntityMixin(Data, {}) {}`,
      errors: [noPk('Page')],
    },
  ],
});

inTypeScript.run('entity-schema-fields', plugin.rules['entity-schema-fields'], {
  valid: [
    `${imports} class Todo extends Entity { author = User.fromJS(); static schema = { author: User }; }`,
    `${imports} class Todo extends Entity { declare author: User; static override schema = { author: User }; }`,
    `${imports} class Todo extends Entity { author?: User; static schema = { author: User, ...more }; }`,
    `${imports} class Base extends Entity { at = new Date(0); } class Todo extends Base { static schema = { at: Date }; }`,
    `import { Base } from './base'; class Todo extends Base { static schema = { author: User }; }`,
  ],
  invalid: [
    {
      code: `${imports} class Todo extends Entity { author = User.fromJS(); static schema = { athor: User }; }`,
      errors: [
        { message: `Todo.schema names 'athor', which is no field of the class. Did you mean 'author'?` },
      ],
    },
    {
      code: `${imports} class Todo extends Entity { static schema = { author: User }; }`,
      errors: [
        { message: `Todo.schema names 'author', which is no field of the class. Declare it with a default.` },
      ],
    },
  ],
});

const noValue = (name: string, field: string) => ({
  message: `${name}.${field} has no value, so some compilers leave it out, and then it is not requested where a list has not brought it. Write \`= undefined\`, or its default.`,
});
inTypeScript.run('entity-field-value', plugin.rules['entity-field-value'], {
  valid: [
    `${imports} class Todo extends Entity { static override key = 'Todo'; id = ''; body: string | undefined = undefined; pk() { return this.id; } }`,
    `${imports} class Todo extends Entity { static override key: string; declare kept: string; get name() { return ''; } }`,
    `class Todo extends Model { body?: string; } class Plain { body?: string; }`,
  ],
  invalid: [
    {
      code: `${imports} class Todo extends Entity { id = ''; body?: string; author!: User; }`,
      errors: [noValue('Todo', 'body'), noValue('Todo', 'author')],
    },
    {
      code: `${imports} class Base extends Entity { id = ''; } class Todo extends Base { body; }`,
      errors: [noValue('Todo', 'body')],
    },
  ],
});

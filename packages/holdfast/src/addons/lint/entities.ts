// Lint rules for entity classes: what the types cannot ask of a class's own fields.
import { nearName } from '../../support/near-name.ts';
import { callOf, childOf, childrenOf, createRule, objectMembers, nodeName, resolveName } from './ast.ts';
import type { AstNode, LintContext, LintRule } from './ast.ts';

/** An entity class, with the classes of the same file that it extends; the last one extends what is known from elsewhere. */
interface Family {
  readonly classes: readonly AstNode[];
  /** Whether all of it stands in this file. */
  readonly isWhole: boolean;
  /** The options of EntityMixin, where the last one extends that. */
  readonly mixin?: AstNode | undefined;
}

function familyOf(context: LintContext, entity: AstNode): Family | undefined {
  const classes = [entity];
  for (let depth = 0; depth < 20; depth += 1) {
    const above = childOf(classes.at(-1), 'superClass');
    const { name, args } = callOf(context, above);
    if (name === 'EntityMixin') return { classes, isWhole: false, mixin: args[1] };
    const { imported, node } = resolveName(context, above);
    if (imported === 'Entity') return { classes, isWhole: true };
    if (!node || !node.type.startsWith('Class')) return undefined;
    classes.push(node);
  }
  return undefined;
}

interface ClassMember {
  readonly name: string;
  readonly isStatic: boolean;
  readonly node: AstNode;
}

function membersIn(entity: AstNode): readonly ClassMember[] {
  return childrenOf(childOf(entity, 'body'), 'body').flatMap((node) => {
    const name = node['computed'] ? undefined : nodeName(childOf(node, 'key'));
    return name === undefined ? [] : [{ name, isStatic: node['static'] === true, node }];
  });
}

function has({ classes, mixin }: Family, name: string, isStatic: boolean): boolean {
  return (
    classes.some((each) => membersIn(each).some((one) => one.name === name && one.isStatic === isStatic)) ||
    objectMembers(mixin).some((option) => option.name === name)
  );
}

/** A rule asked of every entity class that is made into rows: of abstract ones only what they are extended by is. */
function forEntities(
  description: string,
  messages: Readonly<Record<string, string>>,
  check: (context: LintContext, entity: AstNode, family: Family) => void,
): LintRule {
  return createRule(description, messages, (context) => {
    const visit = (entity: AstNode): void => {
      const family = entity['abstract'] === true ? undefined : familyOf(context, entity);
      if (family) check(context, entity, family);
    };
    return { ClassDeclaration: visit, ClassExpression: visit };
  });
}

const nodePlace = (entity: AstNode): AstNode => childOf(entity, 'id') ?? entity;

/** `holdfast/entity-key`: asks every entity class for a `static key`. */
export const entityKey: LintRule = forEntities(
  'An entity class has a static key: minifiers change its name.',
  {
    absent:
      "{{name}} has no static key. Write `static key = '{{name}}'`: minifiers change the name of the class.",
  },
  (context, entity, { classes, mixin }) => {
    const isAbstract = (one: AstNode): boolean => one['abstract'] === true;
    const own = classes.slice(
      0,
      Math.max(
        1,
        classes.findIndex((one) => !isAbstract(one) && one !== entity),
      ),
    );
    if (has({ classes: own, isWhole: true, mixin }, 'key', true)) return;
    const name = nodeName(childOf(entity, 'id')) ?? 'The entity';
    context.report({ node: nodePlace(entity), messageId: 'absent', data: { name } });
  },
);

/** `holdfast/entity-pk`: asks every entity class for a primary key. */
export const entityPk: LintRule = forEntities(
  'An entity class has a primary key: the field `id`, or a method `pk`.',
  { absent: '{{name}} has no primary key. Give it the field `id`, or a method `pk()` that returns one.' },
  (context, entity, family) => {
    const isKeyed = has(family, 'id', false) || has(family, 'pk', false) || has(family, 'pk', true);
    if (isKeyed || (!family.isWhole && !family.mixin)) return;
    const name = nodeName(childOf(entity, 'id')) ?? 'The entity';
    context.report({ node: nodePlace(entity), messageId: 'absent', data: { name } });
  },
);

/** `holdfast/entity-schema-fields`: refuses members of `static schema` that are no fields of the class. */
export const entitySchemaFields: LintRule = forEntities(
  'A static schema names fields of its class.',
  {
    unknown: "{{name}}.schema names '{{field}}', which is no field of the class. Declare it with a default.",
    near: "{{name}}.schema names '{{field}}', which is no field of the class. Did you mean '{{meant}}'?",
  },
  (context, entity, family) => {
    const own = membersIn(entity).find(({ name, isStatic }) => isStatic && name === 'schema');
    if (!own || !family.isWhole) return;
    const fields = family.classes
      .flatMap(membersIn)
      .flatMap(({ name, isStatic }) => (isStatic ? [] : [name]));
    for (const { key, name: field } of objectMembers(childOf(own.node, 'value'))) {
      if (fields.includes(field)) continue;
      const name = nodeName(childOf(entity, 'id')) ?? 'The entity';
      const meant = nearName(field, fields);
      const data = { name, field, meant: meant ?? '' };
      context.report({ node: key, messageId: meant === undefined ? 'unknown' : 'near', data });
    }
  },
);

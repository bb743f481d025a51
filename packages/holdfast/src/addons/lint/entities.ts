// Lint rules for entity classes: they check keys, primary keys and fields where the compiler cannot.
import { nearName } from '../../support/near-name.ts';
import {
  exportCallOf,
  childOf,
  childrenOf,
  createRule,
  objectMembers,
  nodeName,
  resolveName,
} from './ast.ts';
import type { AstNode, LintContext, LintRule } from './ast.ts';

/** An entity class and its base classes in the same file; the last of them extends Entity or a call of EntityMixin. */
interface ClassChain {
  readonly classes: readonly AstNode[];
  /** True when the last class extends Entity, so that all base classes are in this file. */
  readonly isComplete: boolean;
  /** The options of EntityMixin, if the last class extends a call of EntityMixin. */
  readonly mixinOptions?: AstNode | undefined;
}

function classChainOf(context: LintContext, entity: AstNode): ClassChain | undefined {
  const classes = [entity];
  for (let depth = 0; depth < 20; depth += 1) {
    const above = childOf(classes.at(-1), 'superClass');
    const { name, args } = exportCallOf(context, above);
    if (name === 'EntityMixin') return { classes, isComplete: false, mixinOptions: args[1] };
    const { imported, node } = resolveName(context, above);
    if (imported === 'Entity') return { classes, isComplete: true };
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

function declaresMember({ classes, mixinOptions }: ClassChain, name: string, isStatic: boolean): boolean {
  return (
    classes.some((each) =>
      membersIn(each).some((member) => member.name === name && member.isStatic === isStatic),
    ) || objectMembers(mixinOptions).some((option) => option.name === name)
  );
}

/** Makes a rule for the entity classes whose base classes are in the same file, except abstract classes, which have no rows. */
function forEntities(
  description: string,
  messages: Readonly<Record<string, string>>,
  check: (context: LintContext, entity: AstNode, chain: ClassChain) => void,
): LintRule {
  return createRule(description, messages, (context) => {
    const visit = (entity: AstNode): void => {
      const chain = entity['abstract'] === true ? undefined : classChainOf(context, entity);
      if (chain) check(context, entity, chain);
    };
    return { ClassDeclaration: visit, ClassExpression: visit };
  });
}

const reportedNode = (entity: AstNode): AstNode => childOf(entity, 'id') ?? entity;

/** `holdfast/entity-key`: requires a `static key` of each entity class. A key of a base class that is not abstract does not count. */
export const entityKey: LintRule = forEntities(
  'An entity class has a static key: minifiers change its name.',
  {
    absent:
      "{{name}} has no static key. Write `static key = '{{name}}'`: minifiers change the name of the class.",
  },
  (context, entity, { classes, mixinOptions }) => {
    const above = classes.slice(1).findIndex((each) => each['abstract'] !== true);
    const own = above < 0 ? classes : classes.slice(0, above + 1);
    if (declaresMember({ classes: own, isComplete: true, mixinOptions }, 'key', true)) return;
    const name = nodeName(childOf(entity, 'id')) ?? 'The entity';
    context.report({ node: reportedNode(entity), messageId: 'absent', data: { name } });
  },
);

/**
 * `holdfast/entity-pk`: requires `id` or `pk` of each entity class, its own or inherited, unless it extends EntityMixin without
 * options.
 */
export const entityPk: LintRule = forEntities(
  'An entity class has a primary key: the field `id`, or a method `pk`.',
  {
    absent: '{{name}} has no primary key. Give it the field `id`, or a method `pk()` that returns one.',
  },
  (context, entity, chain) => {
    const hasPk =
      declaresMember(chain, 'id', false) ||
      declaresMember(chain, 'pk', false) ||
      declaresMember(chain, 'pk', true);
    if (hasPk || (!chain.isComplete && !chain.mixinOptions)) return;
    const name = nodeName(childOf(entity, 'id')) ?? 'The entity';
    context.report({ node: reportedNode(entity), messageId: 'absent', data: { name } });
  },
);

/** `holdfast/entity-field-value`: requires a value of each field of an entity class that is not declared with `declare`. */
export const entityFieldValue: LintRule = forEntities(
  'A field of an entity has a value: compilers leave out fields that have none.',
  {
    absent:
      '{{name}}.{{field}} has no value, so some compilers leave it out, and then it is not requested where a list has not brought it. Write `= undefined`, or its default.',
  },
  (context, entity) => {
    for (const { name: field, isStatic, node } of membersIn(entity)) {
      if (isStatic || node.type !== 'PropertyDefinition' || node['declare'] || childOf(node, 'value'))
        continue;
      const name = nodeName(childOf(entity, 'id')) ?? 'The entity';
      context.report({ node, messageId: 'absent', data: { name, field } });
    }
  },
);

/**
 * `holdfast/entity-schema-fields`: reports properties of `static schema` that are not fields of the class, unless it extends
 * EntityMixin.
 */
export const entitySchemaFields: LintRule = forEntities(
  'A static schema names fields of its class.',
  {
    unknown: "{{name}}.schema names '{{field}}', which is no field of the class. Declare it with a default.",
    near: "{{name}}.schema names '{{field}}', which is no field of the class. Did you mean '{{meant}}'?",
  },
  (context, entity, chain) => {
    const own = membersIn(entity).find(({ name, isStatic }) => isStatic && name === 'schema');
    if (!own || !chain.isComplete) return;
    const fields = chain.classes.flatMap(membersIn).flatMap(({ name, isStatic }) => (isStatic ? [] : [name]));
    for (const { key, name: field } of objectMembers(childOf(own.node, 'value'))) {
      if (fields.includes(field)) continue;
      const name = nodeName(childOf(entity, 'id')) ?? 'The entity';
      const meant = nearName(field, fields);
      const data = { name, field, meant: meant ?? '' };
      context.report({ node: key, messageId: meant === undefined ? 'unknown' : 'near', data });
    }
  },
);

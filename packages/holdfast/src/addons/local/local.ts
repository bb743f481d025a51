// `local`: declares which items of a list an application wants. The query is compiled and checked here; watch-local.ts reads it.
import type { AnyReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import { collectionsIn } from '../../schema/collection/collections-in.ts';
import { compareValues } from '../../schema/kinds/sorted-items.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { isKeyed, KIND } from '../../schema/protocol/protocol.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import { argumentText } from '../../store/filters.ts';
import { HoldfastError } from '../../support/errors.ts';
import type { LocalArrangement } from './local-items.ts';
import type {
  LocalGroups,
  LocalItem,
  LocalList,
  LocalQuery,
  LocalValue,
  LocalWhere,
  WithList,
} from './local.types.ts';
import { Plan } from './plan.ts';

type NamedValues = Readonly<Record<string, unknown>>;

/** The plan of a query, with the functions that reduce its items to another result. */
class ListPlan extends Plan {
  /** Returns the same query with another result, and with more fields that every item must have. */
  #with(change: Partial<LocalArrangement>, names: readonly string[], where: NamedValues = {}): ListPlan {
    const added = textsOf(where);
    for (const name of [...names, ...added.keys()])
      if (!this.isField(name)) throw new HoldfastError('LOCAL_FIELD_UNKNOWN', { field: name });
    return new ListPlan({
      ...this, // oxlint-disable-line typescript/no-misused-spread -- the parts of a query are own properties
      where: new Map([...this.where, ...added]),
      used: [...this.used, ...names, ...added.keys()],
      arrangement: { ...this.arrangement, ...change },
    });
  }

  #fold(field: string, fold: (values: unknown[]) => unknown): ListPlan {
    return this.#with({ fold: (items) => fold(items.map((item) => item[field]).filter(isValue)) }, [field]);
  }

  query({ where, orderBy, descending, limit }: LocalQuery<AnyReadEndpoint>): ListPlan {
    if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
      throw new HoldfastError('LOCAL_LIMIT_INVALID', { found: limit });
    return this.#with({ orderBy, descending, limit }, typeof orderBy === 'string' ? [orderBy] : [], where);
  }

  count(where?: NamedValues): ListPlan {
    return this.#with({ fold: (items) => items.length }, [], where);
  }

  sum(field: string): ListPlan {
    return this.#fold(field, (values) => (values as number[]).reduce((sum, value) => sum + value, 0)); // cast: typed by `LocalList`
  }

  min(field: string): ListPlan {
    return this.#fold(field, (values) => values.sort(compareValues)[0]);
  }

  max(field: string): ListPlan {
    return this.#fold(field, (values) => values.sort(compareValues).at(-1));
  }

  groupBy(group: string): ListPlan {
    return this.#with({ group }, [group]);
  }
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Converts the values to the form that they have in the key of a list. A name with `undefined` counts as absent. */
function textsOf(where: NamedValues): Map<string, string> {
  const given = Object.entries(where).filter(([, value]) => value !== undefined);
  return new Map(given.map(([name, value]) => [name, argumentText(value)]));
}

/**
 * Declares a query that the client computes from the stored items of a list: which items, in which order, and how many of them.
 * {@link watchLocal} and `useLocal` read a stored list that is complete and fresh. While no such list is stored, they show the
 * stored rows and request the endpoint. Declare a query once, outside of components.
 *
 * @example
 * const open = local(TodoResource.getList, { where: { done: false }, orderBy: 'title', limit: 20 });
 * const openCount = local(TodoResource.getList).count({ done: false });
 * const countByUser = local(TodoResource.getList).groupBy('userId').count();
 */
export function local<E extends AnyReadEndpoint>(
  endpoint: E & WithList<E>,
  query: LocalQuery<E> = {},
): LocalList<E> {
  const collection = collectionsIn(endpoint.schema).find((each) => !isKeyed(each[KIND]));
  if (!collection)
    throw new HoldfastError('LOCAL_WITHOUT_LIST', { endpoint: String((endpoint as NamedValues)['name']) }); // cast: an endpoint has a name
  const item = (): Kind => (kindOf(collection.schema) as Kind & { item(): Kind }).item(); // cast: a Collection is made of an array
  const plan = new ListPlan({
    endpoint,
    list: collection[KIND],
    item,
    where: new Map(),
    used: [],
    arrangement: {},
  });
  return plan.query(query as LocalQuery<AnyReadEndpoint>) as ListPlan & LocalList<E>; // cast: the types follow from the endpoint
}

export declare namespace local {
  export type {
    LocalGroups as Groups,
    LocalItem as Item,
    LocalList as List,
    LocalQuery as Query,
    LocalValue as Value,
    LocalWhere as Where,
  };
}

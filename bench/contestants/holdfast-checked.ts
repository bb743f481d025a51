// The library with `EntityOf`: every field of a row is looked at by its schema.
import { Cache, schema } from 'holdfast';
import { check, EntityOf } from 'holdfast/validate';

import { itemShape } from '../payloads/item-schema.ts';
import type { Contestant } from './contestant.ts';

class CheckedItem extends EntityOf('CheckedItem', {
  id: check(itemShape.id),
  title: check(itemShape.title),
  summary: check(itemShape.summary),
  category: check(itemShape.category),
  price: check(itemShape.price),
  quantity: check(itemShape.quantity),
  active: check(itemShape.active),
  owner: check(itemShape.owner),
  createdAt: check(itemShape.createdAt),
  updatedAt: check(itemShape.updatedAt),
}) {}
const CheckedList = new schema.Collection([CheckedItem]);

export const createChecked: NonNullable<Contestant['checked']> = () => {
  const cache = new Cache();
  return {
    write: (rows) => cache.write(CheckedList, rows),
    take: (rows) => cache.write(CheckedList, rows, [], { isOwned: true }),
    read: () => cache.read(CheckedList) as unknown[], // cast: the list was written
  };
};

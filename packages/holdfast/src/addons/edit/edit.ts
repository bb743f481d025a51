// `edit`: the function with which an application lets a user change a row bit by bit. row-edit.ts does the work.
import type { Controller } from '../../controller/controller.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import type {
  EditField,
  EditHandle,
  EditFields,
  EditOptions,
  EditParams,
  EditState,
  EditStatus,
} from './edit.types.ts';
import { RowEdit } from './row-edit.ts';

/**
 * Returns an edit of the row that the parameters identify. By default, fields that are set are shown everywhere at once, and after
 * a pause one request saves them. While this request is in flight, no pause begins another save. If a save fails, the values that
 * the user has typed are kept.
 *
 * @example
 * const todo = edit(controller, TodoResource.partialUpdate, { id: '5' });
 * todo.set({ title: 'te' });
 * todo.set({ title: 'tea' }); // one PATCH { title: 'tea' }
 * todo.read().state; // 'dirty'
 * await todo.flush();
 */
export function edit<E extends AnyEndpoint>(
  controller: Controller,
  endpoint: E,
  params: EditParams<E>,
  options: EditOptions<E> = {},
): EditHandle<E> {
  return new RowEdit(controller, endpoint, params, options as EditOptions<AnyEndpoint>) as EditHandle<E>; // cast: the fields follow from the endpoint
}

export declare namespace edit {
  export type {
    EditField as Field,
    EditFields as Fields,
    EditHandle as Edit,
    EditOptions as Options,
    EditParams as Params,
    EditState as State,
    EditStatus as Status,
  };
}

// `useEdit`: the edit of a row for as long as a component is mounted, and the properties of inputs that write into it.
import { useEffect, useMemo } from 'react';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { useController } from '../../bindings/controller-context.ts';
import { useWatched } from '../../bindings/use-watched.ts';
import { stableText } from '../../support/stable-text.ts';
import type { EditField, EditHandle, EditOptions, EditParams, EditState } from './edit.types.ts';
import { RowEdit } from './row-edit.ts';

/**
 * The properties that `field` returns, to be spread onto an input: `<input {...field('title')} />`.
 *
 * @example const Title = (props: useEdit.FieldProps) => <label>Title <input {...props} /></label>;
 */
export interface FieldProps {
  readonly name: string;
  /** The value of a text, a number or a select. */
  readonly value?: string | number;
  /** The value of a checkbox, instead of `value`: the field is a boolean. */
  readonly checked?: boolean;
  readonly onChange: (event: {
    readonly currentTarget: { readonly value: string; readonly type: string };
  }) => void;
  readonly onBlur: () => void;
  readonly onCompositionStart: () => void;
  readonly onCompositionEnd: () => void;
}

/**
 * The result of {@link useEdit}: the state of the edit, its functions, and `field`.
 *
 * @example
 * const Save = ({ flush, state }: useEdit.Result<typeof TodoResource.partialUpdate>) =>
 *   <button disabled={state === 'saving'} onClick={() => void flush().catch(() => {})}>Save</button>;
 */
export interface EditResult<E extends AnyEndpoint>
  extends EditState<E>, Omit<EditHandle<E>, 'read' | 'listen' | 'pause' | 'resume'> {
  /**
   * The properties of an input for this field: its value, and handlers that write into the edit. With `save: 'auto'` they also save
   * the edit on blur.
   */
  readonly field: (name: EditField<E>) => FieldProps;
}

/**
 * Returns an edit of the row that the parameters identify. With `save: 'auto'` the edit is also saved on blur, when the component
 * is unmounted and when the page is left; while an input method composes a text, neither `afterMs` nor `atMostMs` begins a save.
 * The options are those of the first render with these parameters.
 *
 * @example
 * function TodoTitle({ id }: { id: string }) {
 *   const { field, state, error } = useEdit(TodoResource.partialUpdate, { id });
 *   return (
 *     <>
 *       <input {...field('title')} />
 *       {state === 'failed' && <p role="alert">{error?.message}</p>}
 *     </>
 *   );
 * }
 */
export function useEdit<E extends AnyEndpoint>(
  endpoint: E,
  params: EditParams<E>,
  options: EditOptions<E> = {},
): EditResult<E> {
  const controller = useController();
  const row = stableText([params]);
  const rowEdit = useMemo(
    () => new RowEdit(controller, endpoint, params, options as EditOptions<AnyEndpoint>), // cast: the fields follow from the endpoint
    // `row` stands for the parameters, because callers write new objects at each render. Later options are not used.
    // oxlint-disable-next-line react/exhaustive-deps
    [controller, endpoint, row],
  );
  useEffect(() => rowEdit.retain(), [rowEdit]);
  const { set, flush, discard, pause, resume } = rowEdit;
  const state = useWatched(rowEdit);
  const field = (name: string): FieldProps => {
    const value = (state.values as Readonly<Record<string, unknown>>)[name]; // cast: the fields follow from the endpoint
    return {
      name,
      ...(typeof value === 'boolean' ? { checked: value } : { value: (value ?? '') as string | number }), // cast: other values are for other inputs
      onChange: ({ currentTarget }) => set({ [name]: readInput(currentTarget) }),
      onBlur: () => {
        if (options.save !== 'submit') void flush().catch(() => undefined); // the state has the error
      },
      onCompositionStart: pause,
      onCompositionEnd: resume,
    };
  };
  return { ...state, set, flush, discard, field } as EditResult<E>; // cast: the fields follow from the endpoint
}

/** Reads the value of an input: a boolean from a checkbox; a number, or null if it is empty, from a number or range; else a string. */
function readInput(input: { readonly value: string; readonly type: string }): unknown {
  if (input.type === 'checkbox') return (input as { readonly checked?: boolean }).checked === true; // cast: a checkbox has it
  if (input.type !== 'number' && input.type !== 'range') return input.value;
  return input.value === '' ? null : Number(input.value);
}

export declare namespace useEdit {
  export type { EditResult as Result, FieldProps };
}

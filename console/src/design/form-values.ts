/** Difference between a form and the server's values, so that a save does not undo other people's changes. */
import type { UseFormReturnType } from '@mantine/form'
import { deepEqual } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'

/** The top-level fields of a body that differ from the form's initial values. */
export type Changed<Values> = <Body extends object>(bodyOf: (values: Values) => Body) => Partial<Body>

export function changedFrom<Values>(before: Values, values: Values): Changed<Values> {
  return (bodyOf) => fieldsThatDiffer(bodyOf(before), bodyOf(values))
}

function fieldsThatDiffer<Fields extends object>(before: Fields, now: Fields): Partial<Fields> {
  const had = before as Record<string, unknown>
  const fields = Object.entries(now).filter(([field, value]) => !deepEqual(had[field], value))
  return Object.fromEntries(fields) as Partial<Fields>
}

/** Mantine's own dirty state covers only the fields that were touched last. */
export function isChanged<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>): boolean {
  return !deepEqual(form.getInitialValues(), form.getValues())
}

/**
 * Takes over the server's current values, except for fields changed in the form.
 * @param version differs whenever the server's values do
 */
export function useTakeOver<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  initialValues: Values | undefined,
  version: string | undefined,
): void {
  const taken = useRef(version)
  const takeOver = useEffectEvent(() => {
    if (!initialValues || taken.current === version) return
    taken.current = version
    const kept = fieldsThatDiffer(form.getInitialValues(), form.getValues())
    form.setValues({ ...initialValues, ...kept })
    form.resetDirty(initialValues)
  })
  useEffect(() => takeOver(), [version])
}

/** The value of a required number field. An empty one stays '', which the API refuses: null would count as left out. */
export function requiredFigureOf(value: number | string): number {
  return (value === '' ? value : Number(value)) as number
}

/** The value of an optional number field; empty is null. */
export function figureOf(value: number | string): number {
  return (value === '' ? null : Number(value)) as number
}

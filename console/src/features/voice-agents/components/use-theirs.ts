/** Detects conflicts: fields that another user saved while they are edited here. */
import type { UseFormReturnType } from '@mantine/form'
import { deepEqual } from '@tanstack/react-router'
import { useState } from 'react'

type Values = Record<string, unknown>

/** Fields changed to different values on both sides. @param before the common base */
export function conflictsIn(ours: Values, before: Values, theirs: Values): string[] {
  return Object.keys(before).filter(
    (field) =>
      !deepEqual(before[field], theirs[field]) &&
      !deepEqual(ours[field], before[field]) &&
      !deepEqual(ours[field], theirs[field]),
  )
}

/** @param version differs whenever the server's values do */
export function useTheirs<Form extends Values>(form: UseFormReturnType<Form>, theirs: Form, version: string) {
  const [seen, setSeen] = useState({ version, values: theirs })
  const [fields, setFields] = useState<string[]>([])
  if (seen.version !== version) {
    setSeen({ version, values: theirs })
    setFields(conflictsIn(form.getValues(), seen.values, theirs))
  }
  const take = () => {
    for (const field of fields) form.setFieldValue(field, theirs[field] as never)
    setFields([])
  }
  return { fields: fields.filter((field) => !deepEqual(form.getValues()[field], theirs[field])), take }
}

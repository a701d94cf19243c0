/** What can be done with several rows of a list at once. */
import type { Icon } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** What the person chooses for all rows, such as a flow: its id. */
export interface BulkFieldProps {
  value: string | null
  onChange: (value: string | null) => void
}

export interface BulkAction<Row> {
  key: string
  /** On the button. */
  label: string
  icon: Icon
  isDangerous?: boolean
  /** Asked before, with the number of rows: "Delete 3 entries?" */
  question: (count: number) => string
  /** What it leads to. */
  consequence?: string | undefined
  /** Without a value nothing is done. */
  Field?: ComponentType<BulkFieldProps>
  /** One request of the API. @param value of the field; '' without one */
  run: (row: Row, value: string) => Promise<unknown>
  /** Keys of the queries that become stale. */
  changes: readonly QueryKey[]
}

/** The frame of a list of a resource: its table, the empty state, actions of a row, and dialogs with forms. */
import type { QueryKey } from '@tanstack/react-query'
import type { Icon } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import type { ListAnswer } from '../api/lists'
import type { BulkAction } from './bulk-actions'
import type { Column, Sorting } from './columns'
import { DataTable } from './data-table'
import { confirmDelete } from './dialogs'
import { FormModal } from './form-modal'
import { EmptyState } from './page'
import { RowActions, type RowLabels } from './row-actions'

/** A dialog that is open: `new`, `edit`, or one of the page's own; `row` is the row it is about. */
export interface OpenDialog<Row> {
  name: string
  row?: Row
}

export interface Dialog<Row> {
  title: string
  content: (dialog: { row: Row | undefined; close: () => void }) => ReactNode
}

/** Dialogs of a list, one at a time. What was open last stays in the dialog while that fades out. */
export interface Dialogs<Row> {
  last: OpenDialog<Row> | undefined
  isOpen: boolean
  open: (name: string, row?: Row) => void
  close: () => void
}

export function useDialogs<Row>(): Dialogs<Row> {
  const [last, setLast] = useState<OpenDialog<Row>>()
  const [isOpen, setOpen] = useState(false)
  return {
    last,
    isOpen,
    open: (name, row) => {
      setLast({ name, ...(row !== undefined && { row }) })
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}

export interface ListQuery<Row> {
  data: ListAnswer<Row> | undefined
  error: unknown
  refetch: () => unknown
  isFetching: boolean
  isPlaceholderData?: boolean
}

interface ResourceListProps<Row> extends Sorting {
  /** Accessible name of the list. */
  label: string
  query: ListQuery<Row>
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  /** Human-readable name of a row. */
  nameOf: (row: Row) => string
  words: { search?: string | undefined; emptyTitle: string; emptyHint: string }
  /** Of the empty state. */
  icon: Icon
  /** The button that adds a row. */
  add?: ReactNode
  filters?: ReactNode
  isFiltered?: boolean
  /** Further buttons beside the filters. */
  tools?: ReactNode
  /** What can be done with several rows at once. */
  bulk?: readonly BulkAction<Row>[]
  /** Further actions of a row, before editing and deleting. */
  rowActions?: ((row: Row) => ReactNode) | undefined
  labelsOf?: ((row: Row) => RowLabels) | undefined
  onEdit?: ((row: Row) => void) | undefined
  onDelete?: ((row: Row) => void) | undefined
  dialogs: Dialogs<Row>
  /** @returns the dialog of this name */
  dialogOf: (open: OpenDialog<Row>) => Dialog<Row> | undefined
}

export function ResourceList<Row>(props: ResourceListProps<Row>) {
  const { label, query, columns, idOf, nameOf, words, icon, add, dialogs, dialogOf } = props
  const { rowActions, labelsOf, onEdit, onDelete } = props
  const { last, isOpen, close } = dialogs
  const dialog = last && dialogOf(last)
  return (
    <>
      <DataTable
        label={label}
        query={query}
        columns={columns}
        rowKey={idOf}
        search={props.search}
        onSearch={props.onSearch}
        searchLabel={words.search}
        filters={props.filters}
        isFiltered={props.isFiltered}
        tools={props.tools}
        bulk={props.bulk}
        nameOf={nameOf}
        empty={
          <EmptyState icon={icon} title={words.emptyTitle} action={add}>
            {words.emptyHint}
          </EmptyState>
        }
        rowActions={
          (rowActions ?? onEdit ?? onDelete)
            ? (row) => (
                <RowActions
                  name={nameOf(row)}
                  labels={labelsOf?.(row)}
                  onEdit={onEdit && (() => onEdit(row))}
                  onDelete={onDelete && (() => onDelete(row))}
                >
                  {rowActions?.(row)}
                </RowActions>
              )
            : undefined
        }
      />
      <FormModal title={dialog?.title ?? ''} opened={isOpen && dialog !== undefined} onClose={close}>
        <Fragment key={`${last?.name} ${last?.row ? idOf(last.row) : ''}`}>
          {dialog?.content({ row: last?.row, close })}
        </Fragment>
      </FormModal>
    </>
  )
}

/** How a row is deleted, after a confirmation. */
interface Removal {
  id: string
  /** Human-readable name of the row. */
  name: string
  /** What the deletion leads to. */
  consequence?: string
  run: () => Promise<unknown>
  /** Key of the queries that list the row. */
  from: QueryKey
}

/** Asks for a confirmation, then deletes the row. */
export function removeRow({ id, from, ...removal }: Removal): void {
  confirmDelete({ ...removal, row: { from, id } })
}

/** Says a list page once: what is particular of a resource goes in, the page with its frame comes out. */
import { type Icon, IconList } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import { useMatch, useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentType, FunctionComponent } from 'react'
import type { ListSearch } from '../api/lists'
import type { TextTable } from '../i18n/tables'
import { type AnyTextKey, type Texts, type Translate, useTexts } from '../i18n/texts'
import { AddButton } from './add-button'
import type { Column } from './columns'
import { Page } from './page'
import type { RowLabels } from './row-actions'
import { type ListQuery, ResourceList, removeRow, useDialogs } from './resource-list'

/** What every list page has words for. */
type ListTexts = TextTable &
  Readonly<Record<'add' | 'description' | 'emptyHint' | 'emptyTitle', string>> & { readonly search?: string }

/** Applies a change to the filters in the URL, and goes back to the first page. */
type OnFilter<Search> = (change: { [Field in keyof Search]?: Search[Field] | undefined }) => void

export interface FilterProps<Search> {
  search: Search
  onChange: OnFilter<Search>
}

export interface FormProps<Row> {
  /** The row to edit; none for a new one. */
  row: Row | undefined
  /** Those of the list. */
  rows: readonly Row[]
  close: () => void
}

export interface ActionProps<Row> {
  row: Row
  /** Opens one of `dialogs`. */
  open: (name: string, row: Row) => void
}

interface Resource<Row, Search extends ListSearch, T extends ListTexts> {
  /** `add`, `description`, `search`, `emptyTitle`, `emptyHint`, and those of the columns. */
  texts: Texts<T>
  /** A hook: the rows of a page. `(search) => useQuery(extensionsQuery(search))` */
  useRows: (search: Search) => ListQuery<Row>
  columns: (t: Translate<T>) => readonly Column<Row>[]
  /** @default `id` */
  idOf?: (row: Row) => string
  /** Human-readable name of a row. */
  nameOf: (row: Row) => string
  /** Makes a row, and edits one if there is `editTitle`. */
  form?: ComponentType<FormProps<Row>>
  editTitle?: (t: Translate<T>, row: Row) => string
  /** Address of a row's own page, where it is edited. */
  pageOf?: (row: Row) => string
  /** Further dialogs, opened by `Actions`. */
  dialogs?: Readonly<
    Record<
      string,
      {
        title: (t: Translate<T>, row: Row) => string
        Content: ComponentType<{ row: Row; close: () => void }>
      }
    >
  >
  /** Deletes a row, after a confirmation. */
  remove?: {
    consequence?: AnyTextKey<T>
    run: (row: Row) => Promise<unknown>
    /** Key of the queries that list the row. */
    from: QueryKey
  }
  /** Other words for the buttons that edit and delete a row. */
  labelsOf?: (t: Translate<T>, row: Row) => RowLabels
  /** A hook: deletes a row in a way of its own. */
  useRemove?: () => (row: Row) => void
  /** Further actions of a row. */
  Actions?: ComponentType<ActionProps<Row>>
  /** Filters beside the search field. */
  Filters?: ComponentType<FilterProps<Search>>
  /** Whether one of them is set. */
  isFiltered?: (search: Search) => boolean
}

interface WithId {
  id: string
}

/**
 * A list page: title and menu icon come from the page's route, the state of the list from its URL.
 * `export const ExtensionsPage = resourcePage({ texts, useRows, columns, nameOf, form, remove })`
 */
export function resourcePage<Row, Search extends ListSearch, T extends ListTexts>(
  resource: Resource<Row, Search, T>,
): FunctionComponent {
  const { texts, useRows, columns, nameOf, form: Form, editTitle, pageOf, dialogs: more } = resource
  const { remove, useRemove, labelsOf, Actions, Filters, isFiltered } = resource
  const idOf = resource.idOf ?? ((row) => (row as WithId).id)
  return function ResourcePage() {
    const t = useTexts(texts)
    const words = useTexts<ListTexts>(texts)
    const { heading, icon } = useMenuEntry()
    const from = useMatch({ strict: false, shouldThrow: false, select: (match) => String(match.fullPath) })
    // One of them, for its types: they all have a list's search.
    const navigate = useNavigate({ from: from as '/extensions' })
    const inUrl = useSearch({ strict: false, shouldThrow: false })
    // The route's `validateSearch` has made it: it fetches the same rows.
    const search = inUrl as Search
    const query = useRows(search)
    const rows = query.data?.data ?? []
    const dialogs = useDialogs<Row>()
    const removeOwn = useRemove?.()
    const onSearch = (change: object) => void navigate({ search: (before) => ({ ...before, ...change }) })
    const onDelete =
      removeOwn ??
      (remove &&
        ((row: Row) => {
          const { consequence, ...how } = remove
          removeRow(
            { ...how, ...(consequence && { consequence: t(consequence) }) },
            row,
            idOf(row),
            nameOf(row),
          )
        }))
    const onEdit = pageOf
      ? (row: Row) => void navigate({ to: pageOf(row) })
      : editTitle && ((row: Row) => dialogs.open('edit', row))
    const add = Form && <AddButton onClick={() => dialogs.open('new')}>{words('add')}</AddButton>
    return (
      <Page title={heading} description={words('description')} actions={add}>
        <ResourceList
          label={heading}
          query={query}
          columns={columns(t)}
          idOf={idOf}
          nameOf={nameOf}
          words={{
            search: 'search' in texts.en ? words('search') : undefined,
            emptyTitle: words('emptyTitle'),
            emptyHint: words('emptyHint'),
          }}
          icon={icon}
          add={add}
          search={search}
          onSearch={onSearch}
          filters={
            Filters && (
              <Filters search={search} onChange={(change) => onSearch({ ...change, page: undefined })} />
            )
          }
          isFiltered={isFiltered?.(search) ?? false}
          rowActions={Actions && ((row) => <Actions row={row} open={dialogs.open} />)}
          labelsOf={labelsOf && ((row) => labelsOf(t, row))}
          onEdit={onEdit}
          onDelete={onDelete}
          dialogs={dialogs}
          dialogOf={({ name, row }) => {
            const own = row && more?.[name]
            if (own)
              return {
                title: own.title(t, row),
                content: ({ close }) => <own.Content row={row} close={close} />,
              }
            const title = row && editTitle ? editTitle(t, row) : words('add')
            return Form && { title, content: (props) => <Form {...props} rows={rows} /> }
          }}
        />
      </Page>
    )
  }
}

/** What the page's route says of it in the menu. */
function useMenuEntry(): { heading: string; icon: Icon } {
  const menu = useMatch({ strict: false, shouldThrow: false, select: ({ staticData }) => staticData.menu })
  return { heading: menu?.label() ?? '', icon: menu?.icon ?? IconList }
}

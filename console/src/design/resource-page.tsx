/** Says a list page once: what is particular of a resource goes in, the page with its frame comes out. */
import { type Icon, IconList } from '@tabler/icons-react'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useLoaderData, useLocation, useMatch, useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentType, FunctionComponent } from 'react'
import type { ListAnswer, ListSearch } from '../api/lists'
import { type ImportPath, type ListPath, type RowOf, deleteOf, keyOf } from '../api/resources'
import type { TextTable } from '../i18n/tables'
import { type AnyTextKey, type Texts, type Translate, useTexts } from '../i18n/texts'
import { AddButton, AddLink } from './add-button'
import type { BulkAction } from './bulk-actions'
import { useBulkDelete } from './bulk-delete'
import type { Column } from './columns'
import { type CsvFilters, CsvTools } from './csv-tools'
import { Page } from './page'
import type { RowLabels } from './row-actions'
import { type Dialogs, ResourceList, removeRow, useDialogs } from './resource-list'

/** What every list page has words for. */
type ListTexts = TextTable &
  Readonly<Record<'description' | 'emptyHint' | 'emptyTitle' | 'heading', string>> & {
    readonly search?: string
    /** On the button, and over the form, of a new row. */
    readonly add?: string
  }

/** A page whose rows can be made has a word for that. */
type MakesRows<T extends ListTexts> = T extends { readonly add: string }
  ? unknown
  : { readonly form?: never; readonly newPage?: never }

/** A page whose rows the API writes to CSV files, and takes from them. */
type MovesRows<Path extends ListPath> = Path extends ImportPath ? unknown : { readonly csv?: never }

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

interface Resource<Path extends ListPath, Row, Search extends ListSearch, T extends ListTexts> {
  /** Of the list, in the API. */
  path: Path
  /** `heading`, `description`, `search`, `emptyTitle`, `emptyHint`, `add` where rows can be made, and those of the columns. */
  texts: Texts<T>
  columns: (t: Translate<T>) => readonly Column<Row>[]
  /** A hook: polling interval in milliseconds. */
  useInterval?: () => number | false
  /** @default `id` */
  idOf?: (row: Row) => string
  /** Human-readable name of a row. */
  nameOf: (row: Row) => string
  /** Makes a row, and edits one if there is `editTitle`. */
  form?: ComponentType<FormProps<Row>>
  editTitle?: (t: Translate<T>, row: Row) => string
  /** Its button deletes: the icon; it is red. */
  dangerIcon?: Icon
  /** A field of the URL that opens the form for a new row; closing the form removes it. */
  newBy?: string
  /** Address of a page that makes a row, in place of a form. */
  newPage?: string
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
  remove?: { consequence?: AnyTextKey<T> }
  /** Other words for the buttons that edit and delete a row. */
  labelsOf?: (t: Translate<T>, row: Row) => RowLabels
  /** A hook: deletes a row in a way of its own. */
  useRemove?: () => (row: Row) => void
  /** Further actions of a row. */
  Actions?: ComponentType<ActionProps<Row>>
  /** A hook: what can be done with several rows at once, besides deleting them. */
  useBulk?: () => readonly BulkAction<Row>[]
  /** Filters beside the search field. */
  Filters?: ComponentType<FilterProps<Search>>
  /** Whether one of them is set; `csv` says it, too. */
  isFiltered?: (search: Search) => boolean
  /** Buttons before the one that adds a row. */
  PageActions?: ComponentType
  /** Export of what the list's filters find, and import: the API's parameters of those beside the search field. */
  csv?: (search: Search) => CsvFilters
  /** Below a list that has rows. */
  Below?: ComponentType
}

interface WithId {
  id: string
}

/** What the route's loader hands over. */
interface LoadedRows<Row> {
  rows: UseQueryOptions<ListAnswer<Row>>
}

/**
 * A list page: icon and query of the rows come from the page's route, the state of the list from its URL.
 * `export const ExtensionsPage = resourcePage({ path: '/extensions', texts, columns, nameOf, form, remove: {} })`
 */
export function resourcePage<
  Path extends ListPath,
  Search extends ListSearch,
  T extends ListTexts,
  Row = RowOf<Path>,
>(options: Resource<Path, Row, Search, T> & MakesRows<T> & MovesRows<Path>): FunctionComponent {
  const resource: Resource<Path, Row, Search, T> = options
  const { path, texts, columns, nameOf, form: Form, editTitle, pageOf, dialogs: more } = resource
  const { remove, useRemove, labelsOf, Actions, Filters, isFiltered, useInterval } = resource
  const { newBy, newPage, dangerIcon, PageActions, Below, csv, useBulk } = resource
  const idOf = resource.idOf ?? ((row) => (row as WithId).id)
  return function ResourcePage() {
    const t = useTexts(texts)
    const words = useTexts<ListTexts>(texts)
    const heading = words('heading')
    const icon = useMenuIcon()
    const from = useMatch({ strict: false, shouldThrow: false, select: (match) => String(match.fullPath) })
    // One of them, for its types: they all have a list's search.
    const navigate = useNavigate({ from: from as '/extensions' })
    const inUrl = useSearch({ strict: false, shouldThrow: false })
    // The route's `validateSearch` has made it.
    const search = inUrl as Search
    const loaded: unknown = useLoaderData({ strict: false })
    const { rows: loading } = loaded as LoadedRows<Row>
    const interval = useInterval?.()
    const query = useQuery({ ...loading, ...(interval !== undefined && { refetchInterval: interval }) })
    const rows = query.data?.data ?? []
    const dialogs = useDialogs<Row>()
    // Other pages link to the form for a new one by `#new`.
    const isAskedForNew = useLocation({ select: ({ hash }) => hash === 'new' })
    const isNew = isAskedForNew && Form !== undefined && !newPage
    const removeOwn = useRemove?.()
    const deleteAll = useBulkDelete(
      remove && { path, idOf, consequence: remove.consequence && t(remove.consequence) },
    )
    const bulk = [...(useBulk?.() ?? []), ...deleteAll]
    const onSearch = (change: object) => void navigate({ search: (before) => ({ ...before, ...change }) })
    const onDelete =
      removeOwn ??
      (remove &&
        ((row: Row) => {
          const { consequence } = remove
          const [id, name] = [idOf(row), nameOf(row)]
          removeRow({
            ...{ id, name, from: keyOf(path), run: async () => deleteOf(path, id) },
            ...(consequence && { consequence: t(consequence) }),
          })
        }))
    const onEdit = pageOf
      ? (row: Row) => void navigate({ to: pageOf(row) })
      : editTitle && ((row: Row) => dialogs.open('edit', row))
    const add = newPage ? (
      <AddLink to={newPage}>{words('add')}</AddLink>
    ) : (
      Form && (
        <AddButton dangerIcon={dangerIcon} onClick={() => dialogs.open('new')}>
          {words('add')}
        </AddButton>
      )
    )
    const shown: Dialogs<Row> = newBy
      ? {
          ...dialogs,
          last: dialogs.last ?? { name: 'new' },
          isOpen: dialogs.isOpen || newBy in search,
          close: () => {
            dialogs.close()
            onSearch({ [newBy]: undefined })
          },
        }
      : isNew
        ? {
            ...dialogs,
            ...{ last: { name: 'new' }, isOpen: true },
            close: () => {
              dialogs.close()
              void navigate({ search: (before) => before, hash: '', replace: true })
            },
          }
        : dialogs
    return (
      <Page
        title={heading}
        description={words('description')}
        actions={
          PageActions ? (
            <>
              <PageActions />
              {add}
            </>
          ) : (
            add
          )
        }
      >
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
          isFiltered={isFiltered?.(search) ?? Object.keys(csv?.(search) ?? {}).length > 0}
          tools={
            // Only pages of such paths have it: see MovesRows.
            csv && <CsvTools path={path as ImportPath} filters={{ search: search.search, ...csv(search) }} />
          }
          bulk={bulk}
          rowActions={Actions && ((row) => <Actions row={row} open={dialogs.open} />)}
          labelsOf={labelsOf && ((row) => labelsOf(t, row))}
          onEdit={onEdit}
          onDelete={onDelete}
          dialogs={shown}
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
        {Below && rows.length > 0 && <Below />}
      </Page>
    )
  }
}

/** What the page's route says of it in the menu. */
function useMenuIcon(): Icon {
  const menu = useMatch({ strict: false, shouldThrow: false, select: ({ staticData }) => staticData.menu })
  return menu?.icon ?? IconList
}

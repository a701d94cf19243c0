import type { ListSearch } from '../../../api/lists'

/** What either list of the page is given. */
export interface TrunkListProps {
  search: ListSearch
  onSearch: (change: { [Field in keyof ListSearch]: ListSearch[Field] | undefined }) => void
  /** Whether the form for a new one is open. */
  isAdding: boolean
  onAdd: () => void
  onAdded: () => void
}

import type { ListSearch } from '../../../api/lists'

/** Props of both lists of the page. */
export interface TrunkListProps {
  search: ListSearch
  onSearch: (change: { [Field in keyof ListSearch]: ListSearch[Field] | undefined }) => void
  /** Whether the form for a new row is open. */
  isAdding: boolean
  onAdd: () => void
  onAdded: () => void
}

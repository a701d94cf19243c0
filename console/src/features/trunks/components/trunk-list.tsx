/** The frame that both lists of the page share. */
import type { Icon } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AddButton } from '../../../design/add-button'
import type { Column, Sorting } from '../../../design/columns'
import { type Dialogs, type ListQuery, ResourceList, removeRow } from '../../../design/resource-list'
import { useTexts } from '../../../i18n/texts'
import { trunksTexts } from '../texts'

/** What the page gives to a list: the state in its URL, and dialogs that its own button opens, too. */
export interface ListOfPage<Row> extends Sorting {
  dialogs: Dialogs<Row>
}

interface TrunkListProps<Row> extends ListOfPage<Row> {
  /** Its texts begin with this. */
  kind: 'acl' | 'gateway'
  icon: Icon
  query: ListQuery<Row>
  columns: readonly Column<Row>[]
  /** @param row to edit; none for a new one */
  form: (row: Row | undefined, close: () => void) => ReactNode
  remove: { run: (row: Row) => Promise<unknown>; from: QueryKey }
}

export function TrunkList<Row extends { id: string; title: string }>({
  kind,
  form,
  remove,
  dialogs,
  ...list
}: TrunkListProps<Row>) {
  const t = useTexts(trunksTexts)
  return (
    <ResourceList
      {...list}
      label={t(`${kind}s`)}
      idOf={({ id }) => id}
      nameOf={({ title }) => title}
      words={{
        search: t(`${kind}Search`),
        emptyTitle: t(`${kind}EmptyTitle`),
        emptyHint: t(`${kind}EmptyHint`),
      }}
      add={<AddButton onClick={() => dialogs.open('new')}>{t(`${kind}Add`)}</AddButton>}
      onEdit={(row) => dialogs.open('edit', row)}
      onDelete={(row) =>
        removeRow({
          ...{ id: row.id, name: row.title, consequence: t('usedByNumbers'), from: remove.from },
          run: async () => remove.run(row),
        })
      }
      dialogs={dialogs}
      dialogOf={({ row }) => ({
        title: row ? t(`${kind}Edit`, { title: row.title }) : t(`${kind}Add`),
        content: ({ close }): ReactNode => form(row, close),
      })}
    />
  )
}
